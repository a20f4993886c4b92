//! The one place where a lifetime is promised instead of checked.

#![allow(unsafe_code)]

pub(super) type Body<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Lets a borrowing closure be put on a queue without lifetimes.
///
/// # Safety
/// The closure must be called or dropped before `'a` ends. [`Scope`](super::Scope) counts each
/// closure until it was called, and does not return, even by panic, before the count is zero.
pub(super) unsafe fn erase<'a>(body: Body<'a>) -> Body<'static> {
    // SAFETY: the types differ in a lifetime only, not in layout; the caller ensures that the
    // closure is not used after `'a`.
    unsafe { std::mem::transmute::<Body<'a>, Body<'static>>(body) }
}
