//! The planner, on statistics written down by hand.

mod choice;
mod observed;
mod order;
