//! The planner, on handwritten statistics.

mod choice;
mod observed;
mod order;
