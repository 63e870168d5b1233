//! From numbers to places, and which numbers to mark.

/// About so many numbers are marked.
const N_TICKS: f64 = 5.0;

/// From numbers to parts of a length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
    kind: ScaleKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScaleKind {
    Linear,
    /// As linear, marked at whole numbers only.
    Whole,
    Logarithmic,
}

/// A number to mark, with its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The number.
    pub value: f64,
    /// Its text.
    pub label: String,
}

impl Scale {
    /// Equal differences have equal lengths.
    pub fn linear(from: f64, to: f64) -> Self {
        let is_fit = from.is_finite() && to.is_finite() && to > from;
        let (from, to) = if is_fit { (from, to) } else { (0.0, 1.0) };
        let kind = ScaleKind::Linear;
        Scale { from, to, kind }
    }

    /// As [`Scale::linear`], for counts: only whole numbers are marked.
    pub fn whole(from: f64, to: f64) -> Self {
        let kind = ScaleKind::Whole;
        Scale {
            kind,
            ..Scale::linear(from, to)
        }
    }

    /// From 0 to the next round number.
    pub fn from_zero(largest: f64) -> Self {
        let is_fit = largest > 0.0 && largest.is_finite();
        let mut to = if is_fit { largest } else { 1.0 };
        // A longer scale may have a longer step, of which it must be whole again.
        for _ in 0..3 {
            let step = step(to, N_TICKS);
            // What is a round number already needs no room above, but for the last digits.
            to = (to / step - 1e-9).ceil() * step;
        }
        Scale::linear(0.0, to)
    }

    /// Over all numbers, with some room to both sides, from round number to round number.
    pub fn around(numbers: impl IntoIterator<Item = f64>) -> Self {
        let finite = numbers.into_iter().filter(|number| number.is_finite());
        let none = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut from, mut to) = finite.fold(none, |(a, b), x| (a.min(x), b.max(x)));
        if from > to {
            return Scale::linear(0.0, 1.0);
        }
        // Numbers that are all the same still need a length, one that they do not round away.
        let least = from.abs().max(to.abs()) * 1e-6;
        if to - from <= least {
            let room = f64::max(from.abs() * 0.05, 0.05);
            (from, to) = (from - room, to + room);
        }
        for _ in 0..2 {
            let step = step(to - from, N_TICKS);
            from = (from / step + 1e-9).floor() * step;
            to = (to / step - 1e-9).ceil() * step;
        }
        Scale::linear(from, to)
    }

    /// Equal ratios have equal lengths; numbers that are not above 0 make it linear.
    pub fn logarithmic(from: f64, to: f64) -> Self {
        let linear = Scale::linear(from, to);
        if linear.from > 0.0 {
            let kind = ScaleKind::Logarithmic;
            return Scale { kind, ..linear };
        }
        linear
    }

    /// Returns the smallest and the largest number.
    pub fn ends(&self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// Says where a number is, from 0 to 1 within the scale.
    pub fn place(&self, value: f64) -> f64 {
        match self.kind {
            ScaleKind::Linear | ScaleKind::Whole => (value - self.from) / (self.to - self.from),
            ScaleKind::Logarithmic => (value / self.from).ln() / (self.to / self.from).ln(),
        }
    }

    /// Finds round numbers to mark: about five on a linear scale, 1, 2 and 5 times powers of ten on
    /// a logarithmic one.
    pub fn ticks(&self) -> Vec<Tick> {
        match self.kind {
            ScaleKind::Linear | ScaleKind::Whole => self.linear_ticks(),
            ScaleKind::Logarithmic => self.logarithmic_ticks(),
        }
    }

    fn linear_ticks(&self) -> Vec<Tick> {
        let mut step = step(self.to - self.from, N_TICKS);
        if self.kind == ScaleKind::Whole {
            step = step.max(1.0);
        }
        let n_digits = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.from / step - 1e-9).ceil();
        let n_ticks = ((self.to / step + 1e-9).floor() - first).max(0.0) as usize;
        let tick = |i: usize| {
            let value = (first + i as f64) * step;
            // A zero has no sign.
            let value = if value.abs() < step / 2.0 { 0.0 } else { value };
            let label = format!("{value:.n_digits$}");
            Tick { value, label }
        };
        (0..=n_ticks).map(tick).collect()
    }

    fn logarithmic_ticks(&self) -> Vec<Tick> {
        let first = self.from.log10().floor() as i32;
        let last = self.to.log10().ceil() as i32;
        let tick = |value: f64| {
            let label = value.to_string();
            Tick { value, label }
        };
        (first..=last)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
            .filter(|value| (-1e-9..=1.0 + 1e-9).contains(&self.place(*value)))
            .map(tick)
            .collect()
    }
}

/// Finds 1, 2 or 5 times a power of ten, so that about `n` make the length.
fn step(length: f64, n: f64) -> f64 {
    let rough = length / n;
    let power = 10f64.powf(rough.log10().floor());
    let digit = match rough / power {
        t if t < 1.5 => 1.0,
        t if t < 3.5 => 2.0,
        t if t < 7.5 => 5.0,
        _ => 10.0,
    };
    digit * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale) -> Vec<String> {
        let ticks = scale.ticks().into_iter();
        ticks.map(|tick| tick.label).collect()
    }

    #[test]
    fn marks_are_round_numbers_within_the_scale() {
        assert_eq!(
            labels(Scale::linear(0.0, 1.0)),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(
            labels(Scale::linear(-0.12, 0.3)),
            ["-0.1", "0.0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(
            labels(Scale::from_zero(780.0)),
            ["0", "200", "400", "600", "800"]
        );
        assert_eq!(
            labels(Scale::from_zero(0.5)),
            ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]
        );
        // Not 1,800, which ends between two marks.
        assert_eq!(
            labels(Scale::from_zero(1611.0)),
            ["0", "500", "1000", "1500", "2000"]
        );
        assert_eq!(labels(Scale::whole(0.0, 2.0)), ["0", "1", "2"]);
        assert_eq!(
            labels(Scale::logarithmic(4.0, 1500.0)),
            ["5", "10", "20", "50", "100", "200", "500", "1000"]
        );
    }

    #[test]
    fn a_scale_around_numbers_ends_on_round_ones() {
        assert_eq!(
            labels(Scale::around([0.13, 0.58])),
            ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]
        );
        assert_eq!(Scale::around([-3.0, 8.0]), Scale::linear(-4.0, 8.0));
    }

    #[test]
    fn places_go_from_zero_to_one() {
        assert_eq!(Scale::linear(2.0, 4.0).place(3.5), 0.75);
        let scale = Scale::logarithmic(1.0, 100.0);
        assert!((scale.place(10.0) - 0.5).abs() < 1e-15);
        // Nothing that could make places infinite.
        for scale in [
            Scale::around([]),
            Scale::around([7.0, f64::NAN, 7.0]),
            Scale::around([1e300, -1e300]),
            Scale::around([f64::MAX, f64::MIN]),
            Scale::linear(3.0, 3.0),
            Scale::linear(f64::NAN, 1.0),
            Scale::from_zero(f64::NAN),
            Scale::logarithmic(-1.0, f64::INFINITY),
        ] {
            assert!(scale.place(0.5).is_finite());
            assert!(!scale.ticks().is_empty());
        }
    }
}
