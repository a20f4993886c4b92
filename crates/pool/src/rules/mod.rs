//! Every rule by which the pool decides about threads, as pure functions over readings and the
//! [`PoolThresholds`](crate::PoolThresholds).
//!
//! | rule | when | then |
//! |---|---|---|
//! | first use | a used queue has no worker | add one, even at the hard limit |
//! | empty queue | nothing waits | nothing |
//! | idle worker | a worker of the kind is idle | nothing |
//! | trigger | nothing finished since the last tick, or more waits than there are workers, or more than `stalled_ticks` x cores ticks without a completion in all | look further; else nothing |
//! | hard limit | workers outside declared waits have reached it | nothing, logged once |
//! | below cores | fewer workers at work than cores | add |
//! | low utilisation | the process used less than `low_utilisation` of the cores, mean of `samples` samples | add |
//! | no progress | on average more than `stalled_ticks` ticks without a completion, and for `samples` ticks fewer runnable workers than cores | add |
//! | cores busy | otherwise | nothing |
//! | declared demand | a scope or parallel iteration has work | permits up to the number of cores |
//! | compensation | a worker is in a declared wait while work waits | another takes its permit |
//! | unused permits | more permits than cores, not all in use | back to the number in use or the cores |
//! | too many runnable | more permits than cores while utilisation is at least `high_utilisation`, or more runnable workers than cores for `samples` ticks | one permit fewer |
//! | late timer | a due timer waited a tick, all timer workers busy, fewer than cores | add a timer worker |
//! | affinity ladder | a source needs a queue: idle worker, or shortest queue within `affinity_ladder` | take it; else add a worker below the hard limit |
//! | stuck affinity worker | more than `affinity_stalled_ticks` ticks without a completion | one item per tick moves to the general queue |
//! | refusal | the system refuses a thread | no attempt for `retry_after` |
//! | retirement | for `retire_after` more idle general workers than permits and cores can use | they end |
//!
//! Departures from the model, Rakudo: CPU and wall time are both `Duration`s, so their units cannot
//! differ, which made a busy process look blocked there; the soft limit counts only workers at
//! work; and no progress needs evidence of a free core, so that computing tasks never get more
//! threads than cores.

mod affinity;
mod judge;
mod queues;
mod utilisation;

pub(crate) use affinity::choose_affinity;
pub(crate) use judge::{Judge, Step, View, WorkerId, WorkerState, WorkerView};
pub use queues::DecisionReason;
