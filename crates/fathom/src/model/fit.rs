//! `fathom model fit`: curves through measurements, and the choice among them.

use clap::Args;
use fathom_model::answer::number;
use fathom_model::fit::{read, select, Deviations, Fit, Form, Selection, Tried, TriedResult};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use serde_json::json;
use std::io::Read;
use std::path::Path;

/// Fit curves to measurements, and choose one.
///
/// DATA has one point in each line, x and y with a comma or blanks between; lines that begin with # are skipped. Every
/// form is fitted by least squares; the corrected Akaike criterion (AICc) chooses.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    fathom model fit barrier.csv\n  \
    fathom model fit --form affine --at 64 start.csv       one form, and its value at x = 64\n  \
    fathom model fit --relative latency.csv                deviations in proportion to the value")]
pub struct Options {
    /// The points; - for the standard input
    data: String,
    /// Only this form: constant, linear, affine, power, logarithm, p-log-p, square, two-piece
    #[arg(long, value_parser = form)]
    form: Vec<Form>,
    /// Assume that deviations are proportional to the value
    #[arg(long)]
    relative: bool,
    /// Predict the value at another x
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    at: Vec<f64>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

fn form(name: &str) -> std::result::Result<Form, String> {
    let names: Vec<&str> = Form::ALL.iter().map(|f| f.name()).collect();
    Form::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| format!("the forms are {}", names.join(", ")))
}

pub fn main(options: &Options) -> Result<()> {
    let path = Path::new(&options.data);
    let text = if options.data == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).or_io("read", Path::new("the standard input"))?;
        text
    } else {
        std::fs::read_to_string(path).or_io("read", path)?
    };
    let points = read(&text).map_err(|e| {
        Failure::new(format!("{}: {e}", options.data))
            .hint("each line is a point: x and y with a comma or blanks between")
    })?;
    let forms = if options.form.is_empty() { Form::ALL.to_vec() } else { options.form.clone() };
    let deviations = if options.relative { Deviations::Relative } else { Deviations::Absolute };
    let selection = select(&forms, &points, deviations).map_err(|e| {
        Failure::new(format!("{}: no curve can be fitted to these {} points: {e}", options.data, points.len()))
    })?;
    let predictions: Vec<_> = options.at.iter().map(|x| selection.chosen.predict(*x)).collect();
    if options.json {
        let Selection { chosen, reason, tried } = &selection;
        let value = json!({ "chosen": chosen, "reason": reason, "tried": tried, "predictions": predictions });
        println!("{value:#}");
        return Ok(());
    }
    println!("{}: {} points\n", options.data, points.len());
    table(&selection);
    report(&selection.chosen, options.relative);
    println!("  because        {}", selection.reason);
    for p in predictions {
        let beyond = if p.inside { "" } else { "; outside of the fitted range, do not trust it" };
        println!(
            "  at x = {}: {}; 95 % of measurements between {} and {}{beyond}",
            number(p.x),
            number(p.value),
            number(p.low),
            number(p.high)
        );
    }
    Ok(())
}

fn table(selection: &Selection) {
    let row = |t: &Tried| match &t.result {
        TriedResult::Fit(f) => [f.formula.clone(), number(f.residual_sd), format!("{:.1}", f.aicc), left_out(f)],
        TriedResult::NotFitted(why) => [format!("not fitted: {why}"), String::new(), String::new(), String::new()],
    };
    let fitted = |t: &&Tried| matches!(t.result, TriedResult::Fit(_));
    let wide = selection.tried.iter().filter(fitted).map(|t| row(t)[0].chars().count()).max().unwrap_or(0);
    println!("    {:<10} {:<wide$}  {:>11}  {:>9}", "form", "y", "residual sd", "AICc");
    for t in &selection.tried {
        let [formula, sd, aicc, rest] = row(t);
        let mark = if t.form == selection.chosen.form { "->" } else { "  " };
        println!(
            "{}",
            format!(" {mark} {:<10} {formula:<wide$}  {sd:>11}  {aicc:>9}  {rest}", t.form.name()).trim_end()
        );
    }
}

fn left_out(fit: &Fit) -> String {
    match fit.left_out.len() {
        0 => String::new(),
        n => format!("without {n} point{}", if n == 1 { "" } else { "s" }),
    }
}

fn report(fit: &Fit, relative: bool) {
    println!("\n{}: y = {}, for x from {} to {}\n", fit.form, fit.formula, number(fit.from), number(fit.to));
    for c in &fit.coefficients {
        let interval = format!("{} to {}", number(c.low), number(c.high));
        match c.standard_error {
            Some(e) => {
                println!(
                    "  {:<3} {:>10}   95 % confidence: {interval}; standard error {}",
                    c.name,
                    number(c.value),
                    number(e)
                );
            }
            None => println!("  {:<3} {:>10}   between the points at {interval}", c.name, number(c.value)),
        }
    }
    let of = if relative { " of the value" } else { "" };
    println!("  residual standard deviation {}{of}, {} points", number(fit.residual_sd), fit.points);
    for p in &fit.left_out {
        println!(
            "  left out       x = {}, y = {}, where y = {} was expected",
            number(p.x),
            number(p.y),
            number(fit.predict(p.x).value)
        );
    }
}
