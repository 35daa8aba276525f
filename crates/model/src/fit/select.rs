//! The choice of the form: the least AICc, unless a simpler one is as good.

use super::points::Point;
use super::{fit, Deviations, Fit, Form};
use crate::answer::number;
use serde::Serialize;

/// A form, and its fit or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    pub form: Form,
    #[serde(flatten)]
    pub result: TriedResult,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TriedResult {
    Fit(Box<Fit>),
    NotFitted(String),
}

/// All forms that were tried, by AICc, and the chosen one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Selection {
    pub chosen: Fit,
    pub reason: String,
    pub tried: Vec<Tried>,
}

/// Forms whose AICc differ by less describe the data equally well (Burnham and Anderson).
const SAME: f64 = 2.0;

/// Fits the forms and chooses.
///
/// # Errors
/// A sentence: no form can be fitted to these points.
pub fn select(forms: &[Form], points: &[Point], deviations: Deviations) -> Result<Selection, String> {
    let mut fits: Vec<Fit> = vec![];
    let mut failed: Vec<Tried> = vec![];
    for &form in forms {
        match fit(form, points, deviations) {
            Ok(f) => fits.push(f),
            Err(why) => failed.push(Tried { form, result: TriedResult::NotFitted(why) }),
        }
    }
    fits.sort_by(|a, b| a.aicc.total_cmp(&b.aicc).then(a.parameters.cmp(&b.parameters)));
    let Some(least) = fits.first() else {
        let why = failed.iter().find_map(|t| match &t.result {
            TriedResult::NotFitted(why) => Some(format!("{}: {why}", t.form)),
            TriedResult::Fit(_) => None,
        });
        return Err(why.unwrap_or_else(|| "no form was requested".into()));
    };
    let close = fits.iter().filter(|f| f.aicc - least.aicc < SAME);
    let chosen = close.min_by_key(|f| f.parameters).unwrap_or(least).clone();
    let reason = reason(&chosen, &fits);
    let mut tried: Vec<Tried> =
        fits.into_iter().map(|f| Tried { form: f.form, result: TriedResult::Fit(Box::new(f)) }).collect();
    tried.extend(failed);
    Ok(Selection { chosen, reason, tried })
}

fn reason(chosen: &Fit, fits: &[Fit]) -> String {
    let least = &fits[0];
    if least.form != chosen.form {
        return format!(
            "{} has an AICc less by {}, which does not justify its complexity (below {SAME})",
            least.form,
            number(chosen.aicc.max(least.aicc) - least.aicc)
        );
    }
    match fits.get(1) {
        None => "the only form that was fitted".into(),
        Some(next) if next.aicc - chosen.aicc < SAME => {
            format!(
                "least AICc; these points do not distinguish {} from it (AICc + {})",
                next.form,
                number(next.aicc - chosen.aicc)
            )
        }
        Some(next) => {
            let times = ((next.aicc - chosen.aicc) / 2.0).exp();
            let times =
                if times < 1e6 { format!("{} times", number(times)) } else { "more than a million times".into() };
            format!("least AICc; the next, {}, is {times} less probable", next.form)
        }
    }
}
