//! An array from one drive's curve: each drive is a station whose rate with q operations is what the drive
//! alone reaches with q outstanding, µ(q) = X1(q).

use crate::network::{Law, Network, Station};

/// How many operations on drives an I/O smaller than a strip makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operations {
    /// Of a read.
    pub read: f64,
    /// Of a write.
    pub write: f64,
}

impl Operations {
    /// By the name of the RAID level: `JBOD`, `0`, `1`, `1E`, `10`, `5`, `50`, `6`, `60`; none for others.
    pub fn of(level: &str) -> Option<Self> {
        let write = match level {
            "JBOD" | "0" => 1.0,
            "1" | "1E" | "10" => 2.0,
            "5" | "50" => 4.0,
            "6" | "60" => 6.0,
            _ => return None,
        };
        Some(Self { read: 1.0, write })
    }

    /// Of an I/O that reads with such a share.
    pub fn mean(self, read_share: f64) -> f64 {
        read_share * self.read + (1.0 - read_share) * self.write
    }
}

/// Rates of a drive with 1, 2, 3 … outstanding from some measured points (outstanding, rate per second), ascending:
/// between them straight lines in logarithms, as X(q) = X(1) q^p is one.
pub fn curve(points: &[(usize, f64)]) -> Vec<f64> {
    let mut rates = Vec::new();
    for pair in points.windows(2) {
        let [(from, low), (to, high)] = pair else {
            unreachable!("windows of two")
        };
        let slope = (high / low).ln() / (*to as f64 / *from as f64).ln();
        let between = (*from..*to).map(|at| low * (at as f64 / *from as f64).powf(slope));
        rates.extend(between);
    }
    rates.extend(points.last().map(|(_, rate)| rate));
    rates
}

/// All that keeps such points from being a drive's curve.
pub fn problems(points: &[(usize, f64)]) -> Vec<String> {
    let mut problems = Vec::new();
    if points.first().is_none_or(|&(outstanding, _)| outstanding != 1) {
        problems.push("the curve has no rate at 1 outstanding: begin with it".to_owned());
    }
    for pair in points.windows(2).filter(|pair| pair[1].0 <= pair[0].0) {
        problems.push(format!(
            "{} outstanding come after {}: give them ascending, each once",
            pair[1].0, pair[0].0
        ));
    }
    for (outstanding, rate) in points
        .iter()
        .filter(|(_, rate)| !(rate.is_finite() && *rate > 0.0))
    {
        problems.push(format!(
            "{rate} a second at {outstanding} outstanding is no rate above 0"
        ));
    }
    problems
}

/// So many equal drives, visited with equal shares, `operations` of each I/O one after the other.
pub fn array(rates: Vec<f64>, drives: usize, operations: f64) -> Network {
    let station = Station::new("drives", Law::Rates(rates), operations, 0.0).times(drives);
    Network {
        think_s: 0.0,
        regular: false,
        stations: vec![station],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_curve_of_a_drive_is_said() {
        assert_eq!(problems(&[(1, 100.0), (2, 150.0), (4, 150.0)]), [""; 0]);
        for (points, said) in [
            (vec![], 1),
            (vec![(2, 100.0)], 1),
            (vec![(1, 100.0), (2, 150.0), (2, 160.0)], 1),
            (vec![(1, 100.0), (4, 150.0), (2, 140.0)], 1),
            (vec![(1, 0.0)], 1),
            (vec![(1, f64::NAN)], 1),
            (vec![(1, f64::INFINITY), (1, -1.0)], 3),
        ] {
            assert_eq!(problems(&points).len(), said, "{points:?}");
        }
    }
}
