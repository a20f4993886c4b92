//! The one place where a lifetime is promised instead of checked.

#![allow(unsafe_code)]

/// A closure of a scope, by its true lifetime or as the queues hold it.
pub(super) type Body<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Lets a closure that borrows from its caller be put on a queue that knows no lifetimes.
///
/// # Safety
/// The closure must have been called or dropped before `'a` ends. [`Scope`](super::Scope) sees to
/// it: every closure is counted before it is queued, counted out after it has been called (which
/// drops it), and the scope does not return, by value or by panic, before the count is zero.
pub(super) unsafe fn erase<'a>(body: Body<'a>) -> Body<'static> {
    // SAFETY: the two types differ in a lifetime alone, which has no part in how a box is laid out;
    // that the closure is not used after `'a` is the caller's promise.
    unsafe { std::mem::transmute::<Body<'a>, Body<'static>>(body) }
}
