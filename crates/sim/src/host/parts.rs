//! Operations of one I/O on drives that the host joins: each goes to its drive, or to the controller that the drive hangs on.

use super::under_way::UnderWay;
use crate::fabric::Owner;
use crate::machine::Machine;
use crate::operation::{DriveOp, HostOp};
use crate::raid::MemberOp;
use crate::time::Ps;
use crate::volume::Member;

pub(super) fn send_parts(
    (slot, trim): (u32, bool),
    parts: &[MemberOp],
    members: &[Member],
    under_way: &mut UnderWay,
    machine: &mut Machine,
    depart: Ps,
) {
    for part in parts {
        let MemberOp { write, offset, .. } = *part;
        let bytes = if trim { 0 } else { part.bytes };
        let Member { drive, behind } = members[usize::from(part.member)];
        if let Some((controller, logical)) = behind {
            let op = HostOp {
                token: slot,
                logical,
                write,
                offset,
                bytes,
            };
            under_way.begin_behind(controller, logical);
            machine.fabric.send_to_controller(controller, op, depart);
        } else {
            let op = DriveOp {
                token: slot,
                write,
                trim,
                offset,
                bytes,
                limit_us: 0,
            };
            under_way.begin_on_drive(drive);
            machine.fabric.send(Owner::Host, drive, op, depart);
        }
    }
}
