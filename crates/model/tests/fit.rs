//! Fits against points whose truth is known: the form comes back, and the coefficients within their confidence. The rates
//! that docs/models.md states are those that `forms_come_back` and `intervals_hold_what_they_promise` print.

use fathom_model::fit::{fit, read, select, Deviations, Fit, Form, Point};
use proptest::prelude::*;

/// Numbers that are the same in every run.
struct Random(fastrand::Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.f64()
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(1e-12, 1.0), self.uniform(0.0, std::f64::consts::TAU));
        (-2.0 * u.ln()).sqrt() * v.cos()
    }

    fn one_of(&mut self, ranges: &[(f64, f64)]) -> f64 {
        let (low, high) = ranges[self.uniform(0.0, ranges.len() as f64) as usize % ranges.len()];
        self.uniform(low, high)
    }

    /// Coefficients that make the form what it is: an exponent that is not nearly 0, 1 or 2, a slope that shows.
    fn coefficients(&mut self, form: Form) -> Vec<f64> {
        let scale = 10.0_f64.powf(self.uniform(-2.0, 4.0));
        match form {
            Form::Constant | Form::Linear | Form::PLogP | Form::Square => vec![scale],
            Form::Affine => vec![scale * self.uniform(2.0, 20.0), scale],
            Form::Power => vec![scale, self.one_of(&[(-1.5, -0.4), (0.3, 0.7), (1.4, 1.7), (2.4, 3.0)])],
            Form::Logarithm => vec![scale * self.uniform(0.0, 4.0), scale],
            Form::TwoPiece => {
                let (a, b) = (scale * self.uniform(2.0, 20.0), scale * self.uniform(0.0, 0.3));
                let c = [8.5, 16.5, 24.5][self.uniform(0.0, 3.0) as usize % 3];
                vec![c, a, b, a + scale * self.uniform(8.0, 20.0), b * self.uniform(0.5, 2.0)]
            }
        }
    }

    /// One to 32 processors, with deviations of a share of the mean value.
    fn points(&mut self, form: Form, coefficients: &[f64], share: f64) -> Vec<Point> {
        let exact: Vec<Point> = (1..=32).map(f64::from).map(|x| Point { x, y: form.value(coefficients, x) }).collect();
        let sigma = share * exact.iter().map(|p| p.y.abs()).sum::<f64>() / exact.len() as f64;
        exact.into_iter().map(|p| Point { y: p.y + sigma * self.normal(), ..p }).collect()
    }
}

const SETS: usize = 2000;

/// How many of the sets have a property: they are examined on all processors.
fn count(sets: &[Vec<Point>], has_it: impl Fn(&[Point]) -> bool + Sync) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        let parts = sets.chunks(sets.len().div_ceil(processors).max(1));
        let has_it = &has_it;
        let workers: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().filter(|set| has_it(set)).count())).collect();
        workers.into_iter().map(|worker| worker.join().expect("a count")).sum()
    })
}

#[test]
fn forms_come_back() {
    let mut random = Random::new(20_260_101);
    for share in [0.01, 0.05] {
        for form in Form::ALL {
            let sets = (0..SETS).map(|_| {
                let coefficients = random.coefficients(form);
                random.points(form, &coefficients, share)
            });
            let found = count(&sets.collect::<Vec<_>>(), |points| {
                select(&Form::ALL, points, Deviations::Absolute).unwrap().chosen.form == form
            });
            let rate = found as f64 / SETS as f64;
            println!("deviations of {share}: {form} comes back in {:.1} %", 100.0 * rate);
            assert!(rate >= 0.92, "{form} with deviations of {share}: {rate}");
        }
    }
}

#[test]
fn intervals_hold_what_they_promise() {
    let mut random = Random::new(7);
    for form in Form::ALL {
        let (mut held, mut all, mut predicted) = (0, 0, 0);
        for _ in 0..SETS {
            let coefficients = random.coefficients(form);
            let mut points = random.points(form, &coefficients, 0.02);
            let last = points.remove(20);
            let f = fit(form, &points, Deviations::Absolute).unwrap();
            for (c, truth) in f.coefficients.iter().zip(&coefficients).filter(|(c, _)| c.standard_error.is_some()) {
                all += 1;
                held += usize::from((c.low..=c.high).contains(truth));
            }
            let p = f.predict(last.x);
            predicted += usize::from(p.inside && (p.low..=p.high).contains(&last.y));
        }
        let (held, predicted) = (held as f64 / all as f64, f64::from(predicted as u32) / SETS as f64);
        println!(
            "{form}: {:.1} % of the coefficients in their interval, {:.1} % of predictions",
            100.0 * held,
            100.0 * predicted
        );
        assert!((0.935..=0.965).contains(&held), "{form}: {held}");
        assert!((0.93..=0.97).contains(&predicted), "{form}: {predicted}");
    }
}

#[test]
fn deviations_in_proportion_are_fitted_in_proportion() {
    let mut random = Random::new(99);
    let mut held = 0;
    for _ in 0..SETS {
        let points: Vec<Point> = (0..24)
            .map(|i| f64::from(1 << (i / 2)))
            .map(|x| Point { x, y: (3.0 + 0.5 * x) * (1.0 + 0.05 * random.normal()) })
            .collect();
        let f = fit(Form::Affine, &points, Deviations::Relative).unwrap();
        assert!((0.01..0.2).contains(&f.residual_sd), "{}", f.residual_sd);
        held += usize::from((f.coefficients[0].low..=f.coefficients[0].high).contains(&3.0));
    }
    let rate = held as f64 / SETS as f64;
    assert!((0.92..=0.98).contains(&rate), "{rate}");
}

/// P23, P01, P02: the printed fits, from points made by the printed formulas.
#[test]
fn the_fits_of_the_spp_1000() {
    let points = |f: &dyn Fn(f64) -> f64, from: i32| -> Vec<Point> {
        (from..=32)
            .map(f64::from)
            .enumerate()
            .map(|(i, x)| Point { x, y: f(x) * (1.0 + [0.01, -0.01, 0.004][i % 3]) })
            .collect()
    };
    let chosen = |points: &[Point]| select(&Form::ALL, points, Deviations::Absolute).unwrap().chosen;
    let start = chosen(&points(&|p| 1.2 + 0.22 * p, 1));
    assert_eq!(start.form, Form::Affine);
    assert!((start.values()[0] / 1.2 - 1.0).abs() < 0.05 && (start.values()[1] / 0.22 - 1.0).abs() < 0.05, "{start:?}");
    let parallel_loop = chosen(&points(&|p| 14.3 * p, 2));
    assert_eq!(parallel_loop.form, Form::Linear);
    assert!((parallel_loop.values()[0] / 14.3 - 1.0).abs() < 0.05);
    // At 8 processors more than 1,500 us were measured: left out by rule, and said.
    let mut barrier = points(&|p| 7.1 * p * p, 9);
    barrier.insert(0, Point { x: 8.0, y: 1540.0 });
    let barrier = chosen(&barrier);
    assert_eq!((barrier.form, barrier.left_out.as_slice()), (Form::Square, &[Point { x: 8.0, y: 1540.0 }][..]));
    assert!((barrier.values()[0] / 7.1 - 1.0).abs() < 0.05 && barrier.from == 9.0, "{barrier:?}");
}

#[test]
fn a_step_is_two_pieces_with_the_break_between_its_points() {
    let points: Vec<Point> =
        (1..=16).map(|i| Point { x: f64::from(i), y: if i <= 8 { 74.0 } else { 575.0 } + f64::from(i % 3) }).collect();
    let f = select(&Form::ALL, &points, Deviations::Absolute).unwrap().chosen;
    assert_eq!(f.form, Form::TwoPiece);
    assert_eq!((f.coefficients[0].low, f.coefficients[0].high), (8.0, 9.0));
}

#[test]
fn a_break_among_very_many_points_is_found() {
    let mut random = Random::new(3);
    let points: Vec<Point> = (0..3000)
        .map(f64::from)
        .map(|x| Point { x, y: if x < 1234.0 { 5.0 + 0.01 * x } else { 40.0 } + random.normal() })
        .collect();
    let f = select(&Form::ALL, &points, Deviations::Absolute).unwrap().chosen;
    assert_eq!(f.form, Form::TwoPiece);
    assert!(f.coefficients[0].low >= 1225.0 && f.coefficients[0].high <= 1243.0, "{:?}", f.coefficients[0]);
}

#[test]
fn what_cannot_be_fitted_says_why() {
    let points = |list: &[(f64, f64)]| -> Vec<Point> { list.iter().map(|&(x, y)| Point { x, y }).collect() };
    let why = |form, p: &[Point]| fit(form, p, Deviations::Absolute).unwrap_err();
    let few = points(&[(1.0, 2.0), (2.0, 4.0)]);
    assert!(why(Form::Affine, &few).contains("it needs 5 points"), "{}", why(Form::Affine, &few));
    assert!(select(&Form::ALL, &few, Deviations::Absolute).is_err());
    assert!(select(&Form::ALL, &[], Deviations::Absolute).is_err());
    let upright = points(&[(3.0, 1.0), (3.0, 2.0), (3.0, 3.0), (3.0, 2.0), (3.0, 2.5)]);
    assert!(why(Form::Affine, &upright).contains("do not determine"));
    assert!(why(Form::Power, &upright).contains("do not determine"));
    let negative = points(&[(-1.0, 1.0), (0.0, 2.0), (1.0, 3.0), (2.0, 4.0), (3.0, 5.5)]);
    assert!(why(Form::Logarithm, &negative).contains("above 0"));
    assert!(fit(Form::Constant, &points(&[(1.0, 0.0); 5]), Deviations::Relative).unwrap_err().contains("other than 0"));
    assert!(why(Form::Constant, &points(&[(1.0, f64::NAN); 5])).contains("finite"));
}

#[test]
fn points_are_read_from_what_people_have() {
    let expected = [Point { x: 1.0, y: 2.5 }, Point { x: 2.0, y: -3e3 }];
    for text in
        ["1,2.5\n2,-3e3", "p, us\n1, 2.5\n\n# later\n2, -3e3\n", "\u{feff}1;2.5\r\n2;-3e3\r\n", "  1\t2.5\n2   -3000"]
    {
        assert_eq!(read(text).unwrap(), expected, "{text:?}");
    }
    for (text, line) in
        [("1,2\n3", "line 2"), ("1,2\nx,y", "line 2"), ("1,2,3", "line 1"), ("1,x", "line 1"), ("1,inf", "line 1")]
    {
        assert!(read(text).unwrap_err().contains(line), "{text:?}");
    }
    assert_eq!(read("").unwrap(), []);
}

fn left_over(f: &Fit) -> f64 {
    f.residual_sd.powi(2) * (f.points as f64 - f.form.names().len() as f64)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn points_on_a_curve_give_it_back(index in 0..Form::ALL.len(), seed in 1_u64..u64::MAX) {
        let form = Form::ALL[index];
        let mut random = Random::new(seed);
        let truth = random.coefficients(form);
        let points = random.points(form, &truth, 0.0);
        let f = select(&Form::ALL, &points, Deviations::Absolute).unwrap().chosen;
        prop_assert_eq!(f.form, form);
        for (c, t) in f.values().iter().zip(&truth) {
            prop_assert!((c - t).abs() <= 1e-5 * truth.iter().fold(0.0, |m: f64, v| m.max(v.abs())), "{} {}", c, t);
        }
    }

    #[test]
    fn other_units_and_another_order_change_nothing(index in 0..Form::ALL.len(), seed in 1_u64..u64::MAX, by in 1e-6..1e6_f64) {
        let mut random = Random::new(seed);
        let truth = random.coefficients(Form::ALL[index]);
        let points = random.points(Form::ALL[index], &truth, 0.02);
        let mut other: Vec<Point> = points.iter().map(|p| Point { y: p.y * by, ..*p }).collect();
        other.rotate_left(11);
        other.swap(3, 20);
        let (one, two) = (select(&Form::ALL, &points, Deviations::Absolute).unwrap(), select(&Form::ALL, &other, Deviations::Absolute).unwrap());
        prop_assert_eq!(one.chosen.form, two.chosen.form);
        prop_assert!((one.chosen.predict(7.0).value * by / two.chosen.predict(7.0).value - 1.0).abs() < 1e-4);
    }

    #[test]
    fn whatever_the_points_there_is_an_answer_or_a_reason(
        raw in prop::collection::vec((-1e6..1e6_f64, -1e9..1e9_f64), 0..40), relative: bool, flat: bool,
    ) {
        let points: Vec<Point> = raw.iter().map(|&(x, y)| Point { x: x.abs().floor() % 50.0, y: if flat { y.signum() } else { y } }).collect();
        let deviations = if relative { Deviations::Relative } else { Deviations::Absolute };
        if let Ok(s) = select(&Form::ALL, &points, deviations) {
            prop_assert!(s.chosen.aicc.is_finite() && s.chosen.residual_sd.is_finite());
            prop_assert!(s.chosen.left_out.len() <= points.len() / 10);
            prop_assert!(s.chosen.coefficients.iter().all(|c| c.value.is_finite() && c.low <= c.value && c.value <= c.high));
        }
    }

    #[test]
    fn least_squares_leave_the_least(seed in 1_u64..u64::MAX, da in -0.1..0.1_f64, db in -0.1..0.1_f64) {
        let mut random = Random::new(seed);
        let truth = random.coefficients(Form::Power);
        let points = random.points(Form::Power, &truth, 0.05);
        for form in [Form::Affine, Form::Power, Form::Logarithm] {
            let Ok(f) = fit(form, &points, Deviations::Absolute) else { continue };
            let kept: Vec<&Point> = points.iter().filter(|p| !f.left_out.contains(p)).collect();
            let other = [f.values()[0] * (1.0 + da), f.values()[1] * (1.0 + db)];
            let theirs: f64 = kept.iter().map(|p| (p.y - form.value(&other, p.x)).powi(2)).sum();
            prop_assert!(left_over(&f) <= theirs * (1.0 + 1e-9));
        }
    }
}
