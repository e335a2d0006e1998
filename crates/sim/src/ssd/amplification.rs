//! Write amplification of a flash translation layer with greedy garbage collection under uniform random
//! writes: WA = a / (a + W0(-a·e^-a)), where a is flash for data over data (P. Desnoyers, "Analytic
//! modeling of SSD write performance", SYSTOR 2012; L. Xiang and B. Kurkoski, "An improved analytical
//! expression for write amplification in NAND flash", ICNC 2012).

/// Least ratio of flash to data that is calculated with: a drive without any spare flash could not write.
const LEAST_RATIO: f64 = 1.01;

/// Pages programmed for each page written at random, 1 or more.
///
/// `ratio` is a, the flash that the written data may use over the data itself; from 1.01 up.
pub fn amplification(ratio: f64) -> f64 {
    let ratio = ratio.max(LEAST_RATIO);
    ratio / (ratio + lambert_w0(-ratio * (-ratio).exp()))
}

/// Flash over data for the accessed part of a drive.
///
/// `spare` is the spare flash as a share of the capacity, `accessed` the share of the capacity that the load
/// writes (above 0, up to 1), `filled` the share of the rest that holds valid data. All of the spare flash
/// serves the part that is written, and so does the part of the rest that holds nothing:
/// 1 + spare / accessed where the rest is filled, (1 + spare) / accessed where it is trimmed. Where a share of the written
/// part is trimmed under way, what is left is the data: divide by its share.
pub fn flash_ratio(spare: f64, accessed: f64, filled: f64) -> f64 {
    (1.0 + spare - filled * (1.0 - accessed)) / accessed
}

/// Pages programmed for each page written at random at places that leave what lies between them as it is.
///
/// `flash` is what the accessed part of the drive and all spare flash have together, `accessed` that part and `overwritten`
/// what of it the places take, all shares of the capacity; `valid` is the share of the places that holds data. The drive
/// was filled in order, so that an erase unit has data of both kinds, and greedy collection chooses by one number, what is
/// valid:
///
/// - Once all places have been written anew, what was filled in order has only what lies between them, 1 − 1 / n for one
///   of n. What is collected has 1 − 1 / WA. While that is less, the former is never collected: the places have the rest of
///   the flash for themselves, which is the formula above.
/// - Else all is collected in turn, and what lies between is copied as often as it comes by: as if all of the part were
///   overwritten. In between as much of what was filled in order is left as makes both equal: WA = n.
///
/// Against a translation layer that is run it is up to 15 % off where all is collected, and 1 % where it is not.
pub fn amplification_of_places(flash: f64, accessed: f64, overwritten: f64, valid: f64) -> f64 {
    let all = amplification(flash / (accessed - overwritten + overwritten * valid));
    let own = (flash - accessed) / (overwritten * valid);
    let of = (accessed / overwritten).max(all);
    if own > LEAST_RATIO {
        amplification(own).min(of)
    } else {
        of
    }
}

/// A part of a drive that each load writes alike everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// What of it holds data, as a share of the capacity, above 0.
    pub data: f64,
    /// Bytes that all loads write there at random, in any unit, 0 or more.
    pub random: f64,
}

/// Flash over data of each part of a drive, where all parts together have so much `flash` (a share of the capacity, the
/// data included): as it is shared out where the least is copied.
///
/// Writes are collected apart by part, and what is not written at random needs no spare flash. So the sum of
/// random × WA is least where the last bit of flash saves as much in every part. With x = 1 / WA the formula above
/// reads a = −ln(1 − x) / x, and −dWA/da = 1 / (x / (1 − x) + ln(1 − x)).
pub fn shared_out(parts: &[Part], flash: f64) -> Vec<f64> {
    let written = || parts.iter().filter(|part| part.random > 0.0);
    let still: f64 =
        parts.iter().map(|part| part.data).sum::<f64>() - written().map(|part| part.data).sum::<f64>();
    let flash = flash - still;
    let data: f64 = written().map(|part| part.data).sum();
    let at = |price: f64| -> Vec<f64> {
        let of = |part: &Part| match part.random > 0.0 {
            true => ratio_where(price * part.random / part.data),
            false => 1.0,
        };
        parts.iter().map(of).collect()
    };
    let mut density = written().map(|part| part.random / part.data);
    let Some(first) = density.next() else {
        return vec![1.0; parts.len()];
    };
    let even = density.all(|other| (other / first - 1.0).abs() < 1e-12);
    if even || flash <= data * LEAST_RATIO {
        let ratio = (flash / data).max(LEAST_RATIO);
        let of = |part: &Part| if part.random > 0.0 { ratio } else { 1.0 };
        return parts.iter().map(of).collect();
    }
    let taken = |price: f64| -> f64 {
        let ratios = at(price);
        let each = parts.iter().zip(ratios).filter(|(part, _)| part.random > 0.0);
        each.map(|(part, ratio)| part.data * ratio).sum()
    };
    let price = bisect((-60.0, 60.0), |exponent| taken(exponent.exp() / first) < flash);
    at(price.exp() / first)
}

/// The ratio, at the least, where a bit of flash saves 1 / `slope`.
fn ratio_where(slope: f64) -> f64 {
    let x = bisect((1e-9, 1.0 - 1e-9), |x| x / (1.0 - x) + (1.0 - x).ln() < slope);
    (-(1.0 - x).ln() / x).max(LEAST_RATIO)
}

/// Where what is true below ceases to be.
fn bisect((mut low, mut high): (f64, f64), below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The principal branch of Lambert's W for -1/e ≤ z ≤ 0: the w from -1 to 0 with w·e^w = z.
pub fn lambert_w0(z: f64) -> f64 {
    let branch = std::f64::consts::E.mul_add(z, 1.0).max(0.0);
    let p = (2.0 * branch).sqrt();
    let mut w = if z < -0.25 { series_at_branch(p) } else { z - z * z };
    for _ in 0..20 {
        let step = halley(w, z);
        w -= step;
        if step.abs() <= 1e-15 * w.abs() {
            break;
        }
    }
    w
}

/// W0 near the branch point -1/e, by p = √(2(e·z + 1)).
fn series_at_branch(p: f64) -> f64 {
    -1.0 + p - p * p / 3.0 + 11.0 / 72.0 * p * p * p
}

/// A step of Halley's method towards w·e^w = z.
fn halley(w: f64, z: f64) -> f64 {
    let e = w.exp();
    let miss = w * e - z;
    let slope = e * (w + 1.0);
    if slope == 0.0 {
        return 0.0;
    }
    miss / (slope - (w + 2.0) * miss / (2.0 * w + 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is copied of all that is written, with so much flash for each part.
    fn copied(parts: &[Part], ratios: &[f64]) -> f64 {
        let each = parts.iter().zip(ratios);
        each.map(|(part, &ratio)| part.random * (amplification(ratio) - 1.0))
            .sum()
    }

    /// Of all ways to share the flash out between two parts, of unlike size and unlike often written, none has less copied; what
    /// is not written keeps what it has.
    #[test]
    fn flash_is_shared_out_where_the_least_is_copied() {
        for (data, random) in [
            ((0.1, 0.5), (5.0, 1.0)),
            ((0.4, 0.2), (1.0, 3.0)),
            ((0.3, 0.3), (9.0, 1.0)),
        ] {
            let parts = [(data.0, random.0), (0.2, 0.0), (data.1, random.1)];
            let parts = parts.map(|(data, random)| Part { data, random });
            let written = data.0 + data.1;
            let flash = 0.2 + written + 0.28;
            let found = shared_out(&parts, flash);
            let used: f64 = parts
                .iter()
                .zip(&found)
                .map(|(part, ratio)| part.data * ratio)
                .sum();
            assert!((used / flash - 1.0).abs() < 1e-6, "{used} of {flash}");
            let least = (1..1000)
                .map(|share| 0.28 * f64::from(share) / 1000.0)
                .map(|first| [1.0 + first / data.0, 1.0, 1.0 + (0.28 - first) / data.1])
                .map(|ratios| copied(&parts, &ratios))
                .fold(f64::INFINITY, f64::min);
            let by_rule = copied(&parts, &found);
            assert!(
                (by_rule / least - 1.0).abs() < 1e-4,
                "{by_rule} and {least}: {found:?}"
            );
        }
    }
}
