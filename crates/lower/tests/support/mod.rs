//! What the tests of generated code share.

use fathom_lower::Options;

/// The generated C of a unit that begins with declarations; or what the front end says of it.
pub fn generated(source: &str, lowering: Options) -> Result<String, String> {
    let options = fathom_syntax::Options::default();
    let text = format!("#pragma upc relaxed\ntypedef unsigned long size_t;\n{source}");
    let parsed = fathom_syntax::parse(text, options);
    let (sema, found) = fathom_sema::check(&parsed, options);
    let said: Vec<_> = parsed.diags.iter().chain(&found).map(|d| &d.message).collect();
    if !said.is_empty() {
        return Err(format!("not a correct program: {said:?}"));
    }
    let lowered = fathom_lower::lower(&parsed, &sema, lowering);
    Ok(fathom_emit::emit(&parsed, &lowered))
}
