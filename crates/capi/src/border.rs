//! What every entry point uses: texts, and the end of panics.

use std::any::Any;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// Bytes, usually of UTF-8 text; not NUL-terminated.
///
/// A text that is given to a function is only read during the call. A text that a function returns
/// belongs to the handle it was asked of, and its `bytes` are never null.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct rh_text<'t> {
    /// May be null if `length` is 0.
    bytes: *const u8,
    /// In bytes.
    length: usize,
    borrowed: PhantomData<&'t [u8]>,
}

impl<'t> rh_text<'t> {
    /// No bytes.
    pub(crate) const EMPTY: rh_text<'static> = rh_text::new(b"");

    /// The bytes, borrowed.
    pub const fn new(bytes: &'t [u8]) -> rh_text<'t> {
        rh_text { bytes: bytes.as_ptr(), length: bytes.len(), borrowed: PhantomData }
    }

    /// The bytes that it is made of.
    pub fn bytes(self) -> &'t [u8] {
        if self.bytes.is_null() || self.length == 0 {
            return b"";
        }
        // SAFETY: the fields are private: they come from `new`, or from C, whose header asks for
        // `length` bytes that live as long as the call.
        unsafe { slice::from_raw_parts(self.bytes, self.length) }
    }

    pub(crate) fn to_vec(self) -> Vec<u8> {
        self.bytes().to_vec()
    }
}

/// Runs an entry point's body; `otherwise` is its result if it panics.
pub(crate) fn guarded<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// As [`guarded`], with the panic's message.
pub(crate) fn caught<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| message_of(&*panic).to_owned())
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn rh_version() -> rh_text<'static> {
    rh_text::new(env!("CARGO_PKG_VERSION").as_bytes())
}
