//! `#include <x.h>` finds headers beside the source as well, after all other places, as it does with `upcc`.
//!
//! The C compilers have an option for folders that come last, `-idirafter`, but they treat the headers in such a folder
//! as system headers, in which `shared` is not a keyword and warnings are off. So the folder is spelled in a way that
//! nothing else is, and the preprocessor's output then loses both the mark of a system header and that spelling.

use std::path::{Path, PathBuf};

/// The folder of a source, to be searched last.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    folder: PathBuf,
}

impl Beside {
    /// None if the source is standard input, or if its folder is one of `searched`: the user has then chosen the
    /// folder's place in the order, and gcc would move it.
    pub fn new(source: &Path, searched: &[PathBuf]) -> Option<Beside> {
        if source.as_os_str() == "-" {
            return None;
        }
        let folder = source.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let real = folder.canonicalize().ok()?;
        if searched.iter().any(|s| s.canonicalize().is_ok_and(|s| s == real)) {
            return None;
        }
        Some(Beside { folder: folder.to_path_buf() })
    }

    pub fn options(&self, is_clang: bool) -> Vec<String> {
        let mut options = vec!["-idirafter".into(), self.prefix().trim_end_matches('/').into()];
        // gcc would replace our spelling by a shorter one.
        options.extend((!is_clang).then(|| "-fno-canonical-system-headers".to_string()));
        options
    }

    /// How names of headers in the folder begin when they are found through it.
    fn prefix(&self) -> String {
        format!("{}/././", self.folder.display())
    }

    /// The name as if the source had included it by `"x.h"`.
    fn plain(&self, name: &str) -> Option<String> {
        let name = name.strip_prefix(&self.prefix())?;
        Some(match self.folder.as_os_str() == "." {
            true => name.into(),
            false => self.folder.join(name).display().to_string(),
        })
    }

    /// Preprocessed text in which headers beside the source are the user's; the names of those that were not. (clang
    /// gives our spelling to headers that it finds in the folder by other ways, too.)
    pub fn mend_text(&self, text: Vec<u8>) -> (Vec<u8>, Vec<String>) {
        let mark = format!("\"{}", self.prefix()).into_bytes();
        if !text.windows(mark.len()).any(|w| w == mark) {
            return (text, vec![]);
        }
        let mut names: Vec<String> = vec![];
        let mut out = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|&b| b == b'\n') {
            let mended = std::str::from_utf8(line).ok().filter(|l| l.starts_with("# ")).and_then(|l| {
                let (number, rest) = l.split_once('"')?;
                let (name, flags) = rest.rsplit_once('"')?;
                let name = self.plain(name)?;
                // 3 is a system header, 4 one whose contents C++ would take for C.
                let kept: String =
                    flags.split_whitespace().filter(|f| !["3", "4"].contains(f)).map(|f| format!(" {f}")).collect();
                let mended = format!("{number}\"{name}\"{kept}\n");
                if flags.split_whitespace().any(|f| f == "3") && !names.contains(&name) {
                    names.push(name);
                }
                Some(mended)
            });
            match mended {
                Some(mended) => out.extend(mended.into_bytes()),
                None => out.extend(line),
            }
        }
        (out, names)
    }

    /// Make rules with our spelling of the folder in them.
    pub fn mend_rules(&self, rules: &str) -> String {
        let plain = match self.folder.as_os_str() == "." {
            true => String::new(),
            false => format!("{}/", self.folder.display()),
        };
        rules.replace(&crate::depend::escaped(&self.prefix()), &crate::depend::escaped(&plain))
    }
}

/// The folders that the preprocessor searches because of the options and the environment.
pub fn searched<'a>(options: impl Iterator<Item = &'a String>) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut next_is_folder = false;
    for option in options {
        let joined = ["-I", "-isystem", "-idirafter"].iter().find_map(|o| option.strip_prefix(o));
        match joined {
            _ if next_is_folder => found.push(option.into()),
            Some(folder) if !folder.is_empty() => found.push(folder.into()),
            _ => {}
        }
        next_is_folder = !next_is_folder && joined == Some("");
    }
    for variable in ["CPATH", "C_INCLUDE_PATH"] {
        if let Some(list) = std::env::var_os(variable) {
            // An empty part is the working folder.
            found.extend(std::env::split_paths(&list).map(|p| if p.as_os_str().is_empty() { ".".into() } else { p }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_beside_the_source_are_the_users() {
        let beside = Beside { folder: "src".into() };
        let text =
            "# 1 \"src/a.upc\"\n# 1 \"src/././x.h\" 1 3 4\n# 1 \"/usr/include/stdio.h\" 1 3\n# 2 \"src/././x.h\" 2 3\n\
                    char *s = \"src/././x.h\" ;\n# 9 \"src/././x.h\" 3\n# 2 \"src/a.upc\" 2\n";
        let mended = "# 1 \"src/a.upc\"\n# 1 \"src/x.h\" 1\n# 1 \"/usr/include/stdio.h\" 1 3\n# 2 \"src/x.h\" 2\n\
                      char *s = \"src/././x.h\" ;\n# 9 \"src/x.h\"\n# 2 \"src/a.upc\" 2\n";
        let (out, names) = beside.mend_text(text.into());
        assert_eq!(String::from_utf8(out).unwrap(), mended);
        assert_eq!(names, ["src/x.h"]);
        assert_eq!(beside.mend_rules("a.o: src/a.upc \\\n src/././x.h\n"), "a.o: src/a.upc \\\n src/x.h\n");
        let here = Beside { folder: ".".into() };
        assert_eq!(
            here.mend_text(b"# 1 \"./././x.h\" 1 3\n".to_vec()),
            (b"# 1 \"x.h\" 1\n".to_vec(), vec!["x.h".into()])
        );
        assert_eq!(here.mend_text(b"# 1 \"./././x.h\" 1\n".to_vec()), (b"# 1 \"x.h\" 1\n".to_vec(), vec![]));
        assert_eq!(here.mend_rules("a.o: a.upc ./././x.h\n"), "a.o: a.upc x.h\n");
    }

    #[test]
    fn a_folder_that_is_searched_anyway_stays_where_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (source, folder) = (dir.path().join("a.upc"), dir.path().display());
        let list = |words: &[String]| searched(words.iter());
        for words in [vec![format!("-I{folder}")], vec!["-isystem".into(), format!("{folder}/.")]] {
            assert_eq!(Beside::new(&source, &list(&words)), None, "{words:?}");
        }
        let other = ["-DX=-I".to_string(), "-I".into(), "/nowhere".into(), "-iquote".into(), folder.to_string()];
        assert!(Beside::new(&source, &list(&other)).is_some());
        assert_eq!(Beside::new(Path::new("-"), &[]), None);
    }
}
