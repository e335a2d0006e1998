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
