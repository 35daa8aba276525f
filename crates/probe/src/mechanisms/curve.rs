//! The curves of mechanisms.

use crate::Findings;
use fathom_profile::{names, Curve};

/// The curve of a decision's mechanism, created on the first request.
pub fn of<'a>(findings: &'a mut Findings, decision: &str, mechanism: &str) -> &'a mut Curve {
    let name = names::mechanism_curve(decision, mechanism);
    let at = findings.curves.iter().position(|c| c.name == name).unwrap_or_else(|| {
        findings.curves.push(Curve {
            name,
            title: format!("{decision}: {mechanism}"),
            x: "bytes".into(),
            y: "ns".into(),
            log_x: true,
            log_y: true,
            series: vec![],
        });
        findings.curves.len() - 1
    });
    &mut findings.curves[at]
}
