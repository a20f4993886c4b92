//! Short fields that come again: an object that is still there needs few of the instructions that it
//! takes to make one.

use pyo3::prelude::*;

/// Objects that are kept; together with what they are compared by they fit into the first cache.
const SLOTS: usize = 512;

/// The objects of some fields that were seen, each where the next one of its kind replaces it.
#[derive(Default)]
pub(crate) struct Repeated(Vec<Slot>);

#[derive(Default)]
struct Slot {
    key: Key,
    object: Option<Py<PyAny>>,
}

/// All bytes of a field that has few, and their number.
#[derive(Default, PartialEq, Clone, Copy)]
struct Key {
    start: u64,
    end: u64,
    length: usize,
}

impl Key {
    /// `None` for fields that are longer, and for those of one byte or none, which Python keeps itself.
    #[inline]
    fn of(field: &[u8]) -> Option<Key> {
        let length = field.len();
        let (start, end) = match (field.first_chunk(), field.last_chunk()) {
            (Some(start), Some(end)) if length <= 16 => {
                (u64::from_le_bytes(*start), u64::from_le_bytes(*end))
            }
            (Some(_), _) => return None,
            _ => match (field.first_chunk(), field.last_chunk()) {
                (Some(start), Some(end)) => {
                    (u32::from_le_bytes(*start).into(), u32::from_le_bytes(*end).into())
                }
                _ if length < 2 => return None,
                _ => (u64::from(field[0]) << 8 | u64::from(field[1]), u64::from(field[length - 1])),
            },
        };
        Some(Key { start, end, length })
    }

    #[inline]
    fn slot(self) -> usize {
        let mixed = (self.start ^ self.end.rotate_left(29) ^ self.length as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
    }
}

impl Repeated {
    /// The object of these bytes, made if it is not there.
    #[inline]
    pub(crate) fn object<'py>(
        &mut self,
        py: Python<'py>,
        field: &[u8],
        make: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(key) = Key::of(field) else { return make() };
        if self.0.is_empty() {
            self.0.resize_with(SLOTS, Slot::default);
        }
        let slot = &mut self.0[key.slot()];
        match &slot.object {
            Some(object) if slot.key == key => Ok(object.bind(py).clone()),
            _ => {
                let made = make()?;
                *slot = Slot { key, object: Some(made.clone().unbind()) };
                Ok(made)
            }
        }
    }
}
