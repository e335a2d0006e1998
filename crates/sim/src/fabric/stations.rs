//! Links and switches as first come, first served stations.

use crate::spent::Place;
use crate::station::{Server, Sums};
use crate::system::{Hop, Link, Side, System};
use crate::time::Ps;
use crate::way::{Direction, Part};

/// What must have come before a link begins with it, in bytes.
const PAGE: u32 = 4096;

/// A station as the reading shows it; its sums come in the same order.
#[derive(Clone, Debug)]
pub(crate) struct StationRow {
    /// Name, the same for equal stations.
    pub name: String,
    /// Where its part of a latency is counted.
    pub place: Place,
    /// Servers of the station.
    pub servers: usize,
    /// Whether it is room and no server.
    pub room: bool,
    /// What it is a station of.
    pub(crate) part: Part,
}

/// One direction of a link, a whole link that is half duplex, or a switch.
#[derive(Clone, Debug)]
struct Station {
    name: String,
    place: Place,
    server: Server,
    command: Ps,
    /// Time for a byte in ps, times 2 to this power: below 2^32, so that the product with any length fits.
    byte_ps: u64,
    shift: u32,
}

/// All of a system.
#[derive(Clone, Debug)]
pub(super) struct Stations {
    stations: Vec<Station>,
    /// Station of each link in both directions: to the drive, and to the host.
    links: Vec<(usize, usize)>,
    switches: Vec<usize>,
}

impl Stations {
    pub(super) fn new(system: &System) -> Self {
        let mut all = Self {
            stations: Vec::new(),
            links: Vec::new(),
            switches: Vec::new(),
        };
        for link in &system.links {
            let directions = if link.full_duplex {
                (all.link(link, ", writes"), all.link(link, ", reads"))
            } else {
                let both = all.link(link, "");
                (both, both)
            };
            all.links.push(directions);
        }
        for switch in &system.switches {
            let station = all.add(switch.name.clone(), Place::Switch, switch.command_ps, None);
            all.switches.push(station);
        }
        all
    }

    fn link(&mut self, link: &Link, direction: &str) -> usize {
        let place = match link.side {
            Side::Host => Place::HostLink,
            Side::Disk => Place::DiskLink,
        };
        let name = format!("{}{direction}", link.name);
        self.add(name, place, link.command_ps, Some(link.bytes_s))
    }

    fn add(&mut self, name: String, place: Place, command: Ps, bytes_s: Option<u64>) -> usize {
        let (byte_ps, shift) = bytes_s.map_or((0, 0), byte_time);
        self.stations.push(Station {
            name,
            place,
            server: Server::default(),
            command,
            byte_ps,
            shift,
        });
        self.stations.len() - 1
    }

    /// The stations of a path that a command passes, with its data where it writes.
    pub(super) fn down(&self, path: &[Hop], write: bool) -> Vec<usize> {
        let stations = path.iter().filter_map(|hop| match *hop {
            Hop::Link(link) => write.then(|| self.links[link].0),
            Hop::Switch(switch) => Some(self.switches[switch]),
        });
        stations.collect()
    }

    /// The stations of a path that the data of a read pass on their way back.
    pub(super) fn up(&self, path: &[Hop], write: bool) -> Vec<usize> {
        let stations = path.iter().rev().filter_map(|hop| match *hop {
            Hop::Link(link) if !write => Some(self.links[link].1),
            _ => None,
        });
        stations.collect()
    }

    /// Whether a station moves data: a link, and no switch.
    pub(super) fn moves_data(&self, station: usize) -> bool {
        self.stations[station].byte_ps > 0
    }

    /// What a station takes for an operation.
    #[inline]
    pub(super) fn service(&self, station: usize, bytes: u32) -> Ps {
        Self::service_of(&self.stations[station], bytes)
    }

    #[inline]
    fn service_of(station: &Station, bytes: u32) -> Ps {
        let transfer = (station.byte_ps * u64::from(bytes)) >> station.shift;
        station.command + Ps(transfer)
    }

    /// How long before its end the data of an operation, which has been flowing for so long, can begin to pass a
    /// station: all but its first page overlaps, and the station ends no earlier than the data.
    #[inline]
    pub(super) fn lead(&self, station: usize, bytes: u32, flowing: Ps) -> Ps {
        let overlap = flowing.min(self.service(station, bytes));
        let rest = u64::from(bytes.saturating_sub(PAGE));
        Ps((u128::from(overlap.0) * u128::from(rest) / u128::from(bytes.max(1))) as u64)
    }

    /// Serve an operation; gives the place and the end.
    #[inline]
    pub(super) fn serve(&mut self, station: usize, arrival: Ps, bytes: u32) -> (Place, Ps) {
        let station = &mut self.stations[station];
        let service = Self::service_of(station, bytes);
        (station.place, station.server.serve(arrival, service))
    }

    pub(super) fn rows(&self, into: &mut Vec<StationRow>) {
        into.extend(
            self.stations
                .iter()
                .enumerate()
                .map(|(which, station)| StationRow {
                    name: station.name.clone(),
                    place: station.place,
                    servers: 1,
                    room: false,
                    part: self.part(which),
                }),
        );
    }

    /// The link or switch that a station is of.
    fn part(&self, station: usize) -> Part {
        let switch = || self.switches.iter().position(|&switch| switch == station);
        let mut links = self.links.iter().enumerate();
        let link = links.find_map(|(link, &(down, up))| {
            let direction = match (down == station, up == station) {
                (true, true) => Direction::Both,
                (true, false) => Direction::Writes,
                (false, true) => Direction::Reads,
                (false, false) => return None,
            };
            Some(Part::Link(link, direction))
        });
        link.unwrap_or_else(|| Part::Switch(switch().expect("a link or a switch")))
    }

    pub(super) fn sums(&self, into: &mut Vec<Sums>) {
        into.extend(self.stations.iter().map(|station| station.server.sums));
    }
}

/// Time for a byte in ps as a fraction: numerator below 2^32, and the power of two that it is divided by.
fn byte_time(bytes_s: u64) -> (u64, u32) {
    let (ps, rate) = (1_000_000_000_000_u128, u128::from(bytes_s.max(1)));
    let fits = |shift: &u32| (ps << shift) / rate < 1 << 32;
    let shift = (0..=24).rev().find(fits).unwrap_or(0);
    (((ps << shift) / rate) as u64, shift)
}
