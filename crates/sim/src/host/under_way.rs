//! How many operations of the host are under way where: what it chooses a mirror by.

use crate::fabric::Returned;
use crate::system::System;
use crate::volume::Member;

/// Operations under way by drive, and then by logical drive of each controller.
#[derive(Debug)]
pub(super) struct UnderWay {
    drives: usize,
    /// Where the logical drives of each controller begin.
    first: Vec<usize>,
    counts: Vec<u32>,
}

impl UnderWay {
    pub(super) fn new(system: &System) -> Self {
        let drives = system.drives.len();
        let (mut first, mut end) = (Vec::new(), drives);
        for controller in &system.controllers {
            first.push(end);
            end += controller.logicals.len();
        }
        Self {
            drives,
            first,
            counts: vec![0; end],
        }
    }

    /// How many there are on a drive that the host joins with others.
    #[inline]
    pub(super) fn at(&self, member: Member) -> u32 {
        self.counts[match member.behind {
            Some((controller, logical)) => self.first[controller] + usize::from(logical),
            None => member.drive,
        }]
    }

    #[inline]
    pub(super) fn begin_on_drive(&mut self, drive: usize) {
        self.counts[drive] += 1;
    }

    #[inline]
    pub(super) fn begin_behind(&mut self, controller: usize, logical: u16) {
        self.counts[self.first[controller] + usize::from(logical)] += 1;
    }

    /// One is back.
    #[inline]
    pub(super) fn end(&mut self, back: &Returned) {
        let from = usize::from(back.from);
        let at = match from.checked_sub(self.drives) {
            Some(controller) => self.first[controller] + usize::from(back.logical),
            None => from,
        };
        self.counts[at] -= 1;
    }
}
