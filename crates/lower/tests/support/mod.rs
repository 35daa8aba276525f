//! What the tests of generated code share.

use fathom_lower::plan::Plan;
use fathom_lower::Options;
use fathom_sema::Sema;
use fathom_syntax::Parsed;

/// The generated C of a unit that begins with declarations; or what the front end says of it.
pub fn generated(source: &str, lowering: Options) -> Result<String, String> {
    let (parsed, sema) = checked(source)?;
    let lowered = fathom_lower::lower(&parsed, &sema, lowering);
    Ok(fathom_emit::emit(&parsed, &lowered))
}

/// The plan of such a unit.
#[allow(dead_code)]
pub fn planned(source: &str, lowering: Options) -> Result<String, String> {
    // Places are those of the file.
    let (parsed, sema) = checked(&format!("# 1 \"\"\n{source}"))?;
    Ok(Plan::new(&parsed, &sema, lowering).print(&parsed, &sema))
}

#[allow(dead_code)]
pub fn checked(source: &str) -> Result<(Parsed, Sema), String> {
    let options = fathom_syntax::Options::default();
    let text = format!("#pragma upc relaxed\ntypedef unsigned long size_t;\n{source}");
    let parsed = fathom_syntax::parse(text, options);
    let (sema, found) = fathom_sema::check(&parsed, options);
    let said: Vec<_> = parsed.diags.iter().chain(&found).map(|d| &d.message).collect();
    if !said.is_empty() {
        return Err(format!("not a correct program: {said:?}"));
    }
    Ok((parsed, sema))
}
