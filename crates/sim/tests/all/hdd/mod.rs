//! The hard disk against closed forms, published figures and the laws of a closed loop. Tolerances of random
//! loads are intervals over seeds.

mod beginning;
mod closed_loop;
mod drives;
mod interval;
mod one_by_one;
mod published;
mod readers;
mod seek;
mod streams;
mod theory;
mod written;
