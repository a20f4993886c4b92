//! The future that sleeps.

use super::queue::{Action, Key};
use crate::shared::Shared;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

/// Ready at its moment; from [`Handle::sleep`](crate::Handle::sleep). Dropping it removes the
/// deadline.
pub struct Sleep {
    pub(crate) shared: Arc<Shared>,
    pub(crate) at: Option<Instant>,
    pub(crate) key: Option<Key>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let Some(at) = self.at else { return Poll::Pending };
        if at <= self.shared.clock.now() {
            return Poll::Ready(());
        }
        if !self.key.is_some_and(|key| self.shared.timers.replace_waker(key, context.waker())) {
            let waker = Action::Wake(context.waker().clone());
            self.key = Some(self.shared.set_deadline(at, waker));
        }
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            self.shared.timers.remove(key);
        }
    }
}
