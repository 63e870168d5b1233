//! Products of thousands of probabilities, without underflow.
//!
//! A product of 500 probabilities of 0.001 is 0 in a plain float. Scaling a whole table does
//! not help where its cells are far apart and later factors bring them together again, so
//! every cell has an exponent of its own. Unlike logarithms, this adds and multiplies with
//! one rounding each, the same on every machine.

/// A number that is not negative: `mantissa * 2^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wide {
    /// From 1 to below 2, or 0.
    mantissa: f64,
    /// 0 where the mantissa is.
    exponent: i64,
}

/// Bits of a float behind the exponent.
const FRACTION_BITS: u32 = 52;

/// The exponent field of 1.0.
const BIAS: i64 = 1023;

/// A number this many bits below another changes nothing in a sum.
const NEGLIGIBLE_BITS: i64 = 64;

impl Wide {
    pub(super) const ZERO: Wide = Wide {
        mantissa: 0.0,
        exponent: 0,
    };

    pub(super) const ONE: Wide = Wide {
        mantissa: 1.0,
        exponent: 0,
    };

    /// The number of a float that is finite and not negative.
    #[inline]
    pub(super) fn from_f64(x: f64) -> Self {
        if x == 0.0 {
            return Wide::ZERO;
        }
        if x < f64::MIN_POSITIVE {
            // Below the normal floats the exponent field says nothing.
            let raised = Wide::from_f64(x * power_of_two(BIAS));
            return Wide {
                exponent: raised.exponent - BIAS,
                ..raised
            };
        }
        let bits = x.to_bits();
        let exponent = (bits >> FRACTION_BITS) as i64 - BIAS;
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        Wide {
            mantissa: f64::from_bits(((BIAS as u64) << FRACTION_BITS) | fraction),
            exponent,
        }
    }

    #[inline]
    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    #[inline]
    pub(super) fn times(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Wide::ZERO;
        }
        Wide::below_four(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        )
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        if other.is_zero() {
            return self;
        }
        if self.is_zero() {
            return other;
        }
        let (large, small) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let gap = large.exponent - small.exponent;
        if gap > NEGLIGIBLE_BITS {
            return large;
        }
        Wide::below_four(
            large.mantissa + small.mantissa * power_of_two(-gap),
            large.exponent,
        )
    }

    /// A mantissa from 1 to below 4, brought below 2.
    #[inline]
    fn below_four(mantissa: f64, exponent: i64) -> Self {
        if mantissa >= 2.0 {
            Wide {
                mantissa: 0.5 * mantissa,
                exponent: exponent + 1,
            }
        } else {
            Wide { mantissa, exponent }
        }
    }

    /// The number divided by `2^exponent`, for an exponent that is not below its own.
    fn scaled_down(self, exponent: i64) -> f64 {
        let gap = exponent - self.exponent;
        // Two steps, because the smallest float is below the smallest power that has a
        // normal exponent; beyond both of them every number is 0.
        let first = gap.min(BIAS - 1);
        let second = (gap - first).min(BIAS - 1);
        self.mantissa * power_of_two(-first) * power_of_two(-second)
    }
}

/// `2^exponent` where it is a normal float.
#[inline]
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + BIAS) as u64) << FRACTION_BITS)
}

/// Writes the numbers divided by their sum; false, and nothing written, where all are 0.
pub(super) fn normalize(numbers: &[Wide], out: &mut Vec<f64>) -> bool {
    let positive = numbers.iter().filter(|number| !number.is_zero());
    let Some(largest) = positive.map(|number| number.exponent).max() else {
        return false;
    };
    let scaled = |number: &Wide| {
        if number.is_zero() {
            0.0
        } else {
            number.scaled_down(largest)
        }
    };
    out.clear();
    out.extend(numbers.iter().map(scaled));
    let sum: f64 = out.iter().sum();
    out.iter_mut().for_each(|p| *p /= sum);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_float_is_its_mantissa_and_exponent() {
        let cases = [
            (1.0, 1.0, 0),
            (0.75, 1.5, -1),
            (f64::MIN_POSITIVE, 1.0, -1022),
            (f64::from_bits(3), 1.5, -1073),
            (f64::from_bits(1), 1.0, -1074),
            (0.0, 0.0, 0),
        ];
        for (x, mantissa, exponent) in cases {
            assert_eq!(Wide::from_f64(x), Wide { mantissa, exponent }, "{x:e}");
        }
    }

    #[test]
    fn sums_and_products_are_those_of_floats() {
        for a in [0.0, 1e-3, 0.3, 0.5, 1.0, 7.25] {
            for b in [0.0, 1e-18, 0.7, 1.0, 3.0, 1e9] {
                let [x, y] = [a, b].map(Wide::from_f64);
                assert_eq!(x.plus(y), Wide::from_f64(a + b), "{a} + {b}");
                assert_eq!(y.plus(x), Wide::from_f64(a + b), "{b} + {a}");
                assert_eq!(x.times(y), Wide::from_f64(a * b), "{a} * {b}");
            }
        }
    }

    #[test]
    fn numbers_far_below_every_float_keep_their_ratio() {
        let power = |x, n| (0..n).fold(Wide::ONE, |product, _| Wide::from_f64(x).times(product));
        // 2^-3000 and three times it: a quarter and three quarters.
        let tiny = power(0.125, 1000);
        let numbers = [tiny, tiny.times(Wide::from_f64(3.0)), Wide::ZERO];
        let mut out = Vec::new();
        assert!(normalize(&numbers, &mut out));
        assert_eq!(out, [0.25, 0.75, 0.0]);
        // 2^-1500 of the whole is no float; 2^-1060 is one of the smallest.
        for (n, expected) in [(500, 0.0), (1060 / 4, f64::from_bits(1 << 14))] {
            let step = if n == 500 { 0.125 } else { 0.0625 };
            assert!(normalize(&[Wide::ONE, power(step, n)], &mut out));
            assert_eq!(out, [1.0, expected]);
        }
    }

    #[test]
    fn nothing_but_zeros_has_no_sum() {
        assert!(!normalize(&[Wide::ZERO; 3], &mut Vec::new()));
    }
}
