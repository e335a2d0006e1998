//! When to stop: the honest rule.
#![allow(missing_docs)]
pub struct Rule {
    pub floor_windows: usize,
    pub cap_windows: usize,
    pub precision: f64,
    pub confidence: f64,
}
#[derive(Default, Clone, Debug)]
pub struct Assessment {
    pub mean: f64,
    pub half_width: Option<f64>,
    pub batches: usize,
    pub batch_windows: usize,
    pub lag1: f64,
    pub discarded_windows: usize,
    pub drift: f64,
    pub range: f64,
    pub drifting: bool,
}
pub fn assess(_series: &[f64], _confidence: f64, _precision: f64) -> Assessment {
    Assessment::default()
}
pub enum StopReason {
    Precise,
    Cap,
}
pub enum Decision {
    Continue(Option<f64>),
    Stop(StopReason, Assessment),
}
pub struct Stopper(Rule);
impl Stopper {
    pub fn new(rule: Rule) -> Self {
        Self(rule)
    }
    pub fn check(&mut self, series: &[f64]) -> Decision {
        if series.len() >= self.0.cap_windows {
            Decision::Stop(StopReason::Cap, assess(series, 0.95, 0.02))
        } else {
            Decision::Continue(None)
        }
    }
}
