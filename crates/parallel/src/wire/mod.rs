//! The binary form of what travels between machines.
//!
//! **Message**: the letters `RHWK`; one byte for what it is; the form's version, two bytes; the
//! version of Riverhawk that wrote it, as text; the length of the body, eight bytes; its checksum,
//! eight bytes; the body. Numbers of fixed length are little-endian. Both versions must be the
//! reader's, since a start and the results of pieces are about the inside of one version.
//!
//! **Body**: the fields of a type one after the other, as [`Wire`] says for each: unsigned integers
//! in LEB128, signed ones zigzagged before, doubles as their eight bytes, truth values as 0 or 1,
//! text and lists as a count and their contents, options as a truth value and their content,
//! variants as a byte and theirs.
//!
//! **Checksum**: FNV-1a over words of eight bytes, the last filled with zeros, then over the length.
//! It notices every changed byte; it is no protection against an attacker.
//!
//! Reading is bounded by the bytes that there are: a count is never trusted with memory.

mod columns;
mod value;

use riverhawk_awkio::Limit;
use std::fmt;

/// Changes with any form.
const VERSION: u16 = 4;

const MAGIC: &[u8; 4] = b"RHWK";

/// Why bytes are no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireError {
    /// Not Riverhawk's, or something else than what was expected.
    Foreign,
    /// Written by another version of Riverhawk, which it names.
    Version(String),
    /// Bytes are missing, superfluous or changed.
    Damaged,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ours = env!("CARGO_PKG_VERSION");
        match self {
            WireError::Foreign => write!(f, "these bytes are not what was expected of Riverhawk"),
            WireError::Version(theirs) => write!(
                f,
                "these bytes are of Riverhawk {theirs}, and this is Riverhawk {ours} (format {VERSION}): install the same version on all machines"
            ),
            WireError::Damaged => write!(f, "these bytes are damaged"),
        }
    }
}

impl std::error::Error for WireError {}

/// The rest of a body.
#[derive(Debug)]
pub struct WireReader<'b> {
    rest: &'b [u8],
}

impl<'b> WireReader<'b> {
    /// The next bytes.
    ///
    /// # Errors
    /// There are fewer.
    pub fn bytes(&mut self, count: usize) -> Result<&'b [u8], WireError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(WireError::Damaged)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        self.bytes(N)?.try_into().map_err(|_| WireError::Damaged)
    }
}

/// What can be written to a body and read from it.
pub trait Wire: Sized {
    /// Appends its form.
    fn write(&self, out: &mut Vec<u8>);

    /// Reads its form.
    ///
    /// # Errors
    /// The bytes are not its form.
    fn read(from: &mut WireReader<'_>) -> Result<Self, WireError>;

    /// Appends the forms of several.
    fn write_all(all: &[Self], out: &mut Vec<u8>) {
        all.iter().for_each(|one| one.write(out));
    }

    /// Reads the forms of several.
    ///
    /// # Errors
    /// The bytes are not their forms.
    fn read_all(count: usize, from: &mut WireReader<'_>) -> Result<Vec<Self>, WireError> {
        // Every form has at least a byte, and no memory is taken before it is needed.
        if count > from.rest.len() {
            return Err(WireError::Damaged);
        }
        (0..count).map(|_| Self::read(from)).collect()
    }
}

/// What is a message of its own.
pub trait Message: Wire {
    /// Says what the message is.
    const KIND: u8;

    /// The message.
    fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        self.write(&mut body);
        let mut message = MAGIC.to_vec();
        message.push(Self::KIND);
        message.extend_from_slice(&VERSION.to_le_bytes());
        env!("CARGO_PKG_VERSION").to_owned().write(&mut message);
        message.extend_from_slice(&(body.len() as u64).to_le_bytes());
        message.extend_from_slice(&checksum(&body).to_le_bytes());
        message.append(&mut body);
        message
    }

    /// Reads a message.
    ///
    /// # Errors
    /// It is something else, of another version, or damaged.
    fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let mut message = WireReader { rest: bytes };
        if message.bytes(MAGIC.len()).map_err(|_| WireError::Foreign)? != MAGIC
            || u8::read(&mut message)? != Self::KIND
        {
            return Err(WireError::Foreign);
        }
        let version = u16::from_le_bytes(message.array()?);
        let theirs = String::read(&mut message)?;
        if (version, theirs.as_str()) != (VERSION, env!("CARGO_PKG_VERSION")) {
            return Err(WireError::Version(format!("{theirs} (format {version})")));
        }
        let length = u64::from_le_bytes(message.array()?);
        let sum = u64::from_le_bytes(message.array()?);
        if length != message.rest.len() as u64 || sum != checksum(message.rest) {
            return Err(WireError::Damaged);
        }
        let read = Self::read(&mut message)?;
        if message.rest.is_empty() { Ok(read) } else { Err(WireError::Damaged) }
    }
}

/// Of these bytes, as in messages; also to recognise a program.
pub fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    step(words.fold(0xcbf2_9ce4_8422_2325, step), bytes.len() as u64)
}

/// The fields of a struct, in this order.
macro_rules! wire_struct {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, out: &mut Vec<u8>) {
                $($crate::wire::Wire::write(&self.$field, out);)*
            }

            fn read(
                from: &mut $crate::wire::WireReader<'_>,
            ) -> Result<Self, $crate::wire::WireError> {
                Ok(Self { $($field: $crate::wire::Wire::read(from)?),* })
            }
        }
    };
}

/// Variants without content, numbered in this order.
macro_rules! wire_enum {
    ($type:ty { $($variant:ident),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, out: &mut Vec<u8>) {
                const ALL: &[$type] = &[$(<$type>::$variant),*];
                out.push(ALL.iter().position(|one| one == self).unwrap_or_default() as u8);
            }

            fn read(
                from: &mut $crate::wire::WireReader<'_>,
            ) -> Result<Self, $crate::wire::WireError> {
                const ALL: &[$type] = &[$(<$type>::$variant),*];
                let at = <u8 as $crate::wire::Wire>::read(from)?;
                ALL.get(usize::from(at)).copied().ok_or($crate::wire::WireError::Damaged)
            }
        }
    };
}

pub(crate) use {wire_enum, wire_struct};

wire_struct!(Limit { free, ratio });

impl Wire for u8 {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }

    fn read(from: &mut WireReader<'_>) -> Result<u8, WireError> {
        Ok(from.array::<1>()?[0])
    }

    fn write_all(all: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(all);
    }

    fn read_all(count: usize, from: &mut WireReader<'_>) -> Result<Vec<u8>, WireError> {
        from.bytes(count).map(<[u8]>::to_vec)
    }
}

impl Wire for u64 {
    fn write(&self, out: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            out.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }

    fn read(from: &mut WireReader<'_>) -> Result<u64, WireError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = u8::read(from)?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(WireError::Damaged);
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(WireError::Damaged)
    }
}

impl Wire for usize {
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u64).write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<usize, WireError> {
        usize::try_from(u64::read(from)?).map_err(|_| WireError::Damaged)
    }
}

impl Wire for i64 {
    fn write(&self, out: &mut Vec<u8>) {
        (((self << 1) ^ (self >> 63)) as u64).write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<i64, WireError> {
        let zigzag = u64::read(from)?;
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }
}

impl Wire for f64 {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn read(from: &mut WireReader<'_>) -> Result<f64, WireError> {
        Ok(f64::from_le_bytes(from.array()?))
    }
}

impl Wire for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn read(from: &mut WireReader<'_>) -> Result<bool, WireError> {
        match u8::read(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(WireError::Damaged),
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        T::write_all(self, out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<Vec<T>, WireError> {
        let count = usize::read(from)?;
        T::read_all(count, from)
    }
}

impl Wire for Box<[u8]> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend_from_slice(self);
    }

    fn read(from: &mut WireReader<'_>) -> Result<Box<[u8]>, WireError> {
        Vec::read(from).map(Vec::into_boxed_slice)
    }
}

impl Wire for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn read(from: &mut WireReader<'_>) -> Result<String, WireError> {
        String::from_utf8(Vec::read(from)?).map_err(|_| WireError::Damaged)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(content) = self {
            content.write(out);
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<Option<T>, WireError> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<(A, B), WireError> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parcel, Portable, Start};
    use proptest::prelude::*;

    /// Reading bodies that no checksum guards: whatever they are, an error or a value, which has the
    /// same form when it is written again.
    fn read_and_write<T: Wire>(body: &[u8]) {
        let mut from = WireReader { rest: body };
        if let Ok(read) = T::read(&mut from) {
            let mut again = Vec::new();
            read.write(&mut again);
            let mut second = Vec::new();
            if let Ok(read) = T::read(&mut WireReader { rest: &again }) {
                read.write(&mut second);
            }
            assert_eq!(again, second);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(
            body in proptest::collection::vec(prop_oneof![0_u8..9, any::<u8>()], 0..200),
        ) {
            read_and_write::<Parcel>(&body);
            read_and_write::<Start>(&body);
            read_and_write::<Portable>(&body);
        }

        #[test]
        fn integers_come_back(unsigned in any::<u64>(), signed in any::<i64>()) {
            let mut body = Vec::new();
            (unsigned, signed).write(&mut body);
            prop_assert_eq!(<(u64, i64)>::read(&mut WireReader { rest: &body }), Ok((unsigned, signed)));
        }
    }
}
