//! Every rule by which the pool decides about threads, as pure functions over readings and the
//! table of [`PoolThresholds`](crate::PoolThresholds).
//!
//! | rule | when | then |
//! |---|---|---|
//! | first use | a queue is used that has no worker | one worker of that kind, even at the hard limit |
//! | empty queue | nothing waits | nothing |
//! | idle worker | a worker of that kind is idle | nothing |
//! | trigger | nothing finished since the last tick, or more waits than there are workers, or more than `stalled_ticks` x cores ticks without a completion in all | look further; else nothing |
//! | hard limit | workers of all kinds that are not in a declared wait have reached it | nothing, logged once |
//! | below cores | fewer workers of all kinds are at work than there are cores | add |
//! | low utilisation | the process used less than `low_utilisation` of the cores, mean of `samples` samples | add |
//! | no progress | on average more than `stalled_ticks` ticks without a completion, and for `samples` ticks fewer workers were runnable than there are cores | add |
//! | cores busy | otherwise | nothing |
//! | declared demand | a scope or parallel iteration has work | permits up to the number of cores at once |
//! | compensation | a worker enters a declared wait while work waits, or work arrives later | another takes its permit at once |
//! | unused permits | more permits than cores, and not all in use | back to the number in use or the cores |
//! | too many runnable | more permits than cores while utilisation is at least `high_utilisation`, or more workers runnable than cores for `samples` ticks | one permit fewer |
//! | late timer | a due timer waited a whole tick, every timer worker busy, fewer of them than cores | add a timer worker |
//! | affinity ladder | a source asks for a queue: idle worker, or shortest queue up to the threshold of `affinity_ladder` | take it; else another worker below the hard limit |
//! | stuck affinity worker | more than `affinity_stalled_ticks` ticks without a completion | one item moves to the general queue per tick |
//! | refusal | the system refuses a thread | none is tried for `retry_after` |
//! | retirement | for `retire_after` more idle general workers than permits and cores can use | they end |
//!
//! Where this departs from its model: CPU time and wall time are `Duration`s, so the two cannot
//! differ in unit, which made a busy process look blocked there; the soft limit counts only workers
//! that are at work; and the no-progress rule needs evidence that a core is free, so that tasks
//! which only compute never get more threads than cores.

mod affinity;
mod judge;
mod queues;
mod utilisation;

pub(crate) use affinity::choose_affinity;
pub(crate) use judge::{Judge, Step, View, WorkerId, WorkerState, WorkerView};
pub use queues::DecisionReason;
