//! Reads an array from a file. Lengths and depths in the file are not trusted.

use super::{MAGIC, VERSION, kind};
use riverhawk_record::patterns::NO_CONSTANT;
use riverhawk_system::io::Errno;
use riverhawk_value::{ArrayRef, HeapStr, Probe, Truth, Value, new_array};
use std::io::{self, BufReader, Read};

pub(super) struct Reader<R> {
    from: BufReader<R>,
    unknown_kinds: Vec<u32>,
}

fn is_none() -> io::Error {
    Errno::BADF.into()
}

struct Open {
    array: ArrayRef,
    left: u32,
}

impl<R: Read> Reader<R> {
    pub(super) fn begin(from: R) -> io::Result<Reader<R>> {
        let mut reader = Reader { from: BufReader::new(from), unknown_kinds: Vec::new() };
        let mut magic = [0; MAGIC.len()];
        reader.fill(&mut magic)?;
        if magic != MAGIC || reader.number()? != VERSION[0] || reader.number()? != VERSION[1] {
            return Err(is_none());
        }
        Ok(reader)
    }

    pub(super) fn unknown_kinds(self) -> Vec<u32> {
        self.unknown_kinds
    }

    pub(super) fn array(&mut self, into: &ArrayRef) -> io::Result<()> {
        let mut open = vec![Open { array: into.clone(), left: self.number()? }];
        loop {
            let Some(Open { array, left }) = open.last_mut() else { return Ok(()) };
            if *left == 0 {
                open.pop();
                continue;
            }
            *left -= 1;
            let key = self.text()?;
            let value = match self.number()? {
                kind::ARRAY => {
                    let inner = new_array();
                    array.borrow_mut().set(Probe::from_text(&key), Value::Array(inner.clone()));
                    let left = self.number()?;
                    open.push(Open { array: inner, left });
                    continue;
                }
                kind::NUMBER => Value::Num(c_number(&self.text()?)?),
                long if kind::LONG_NUMBERS.contains(&long) => {
                    return Err(Errno::NOTSUP.into());
                }
                kind::NUMERIC_INPUT => Value::from_input(&self.text()?),
                kind::REGEX => {
                    Value::Regex { number: NO_CONSTANT, text: HeapStr::new(&self.text()?) }
                }
                kind::TRUTH => Value::Bool(Truth::of(self.text()? == b"TRUE")),
                kind::NOTHING => {
                    self.text()?;
                    Value::Unassigned
                }
                kind => {
                    if kind != super::kind::TEXT {
                        self.unknown_kinds.push(kind);
                    }
                    Value::from_text(&self.text()?)
                }
            };
            array.borrow_mut().set(Probe::from_text(&key), value);
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => is_none(),
            _ => error,
        })
    }

    fn number(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn text(&mut self) -> io::Result<Vec<u8>> {
        let length = u64::from(self.number()?);
        let mut text = Vec::new();
        // Grows with the bytes read, not with the length claimed.
        let read = (&mut self.from).take(length).read_to_end(&mut text)?;
        if read as u64 == length { Ok(text) } else { Err(is_none()) }
    }
}

fn c_number(text: &[u8]) -> io::Result<f64> {
    let text = std::str::from_utf8(text).unwrap_or_default();
    text.trim_end_matches('\0').parse().map_err(|_| is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_value::NumberFormat;

    /// `a[1] = 1; a["b"]["x"] = @/a+b/` as gawk 5.2.1 writes it.
    const FILE: &[u8] =
        b"awkrulz\n\0\0\0\x04\0\0\0\x01\0\0\0\x02\0\0\0\x01b\0\0\0\x05\0\0\0\x01\0\0\0\x01x\0\0\0\x06\0\0\0\x03a+b\
        \0\0\0\x011\0\0\0\x02\0\0\0\x021\0";

    fn read(file: &[u8]) -> io::Result<ArrayRef> {
        let array = new_array();
        Reader::begin(file)?.array(&array)?;
        Ok(array)
    }

    #[test]
    fn what_gawk_writes_is_read_and_written_again_byte_for_byte() {
        let array = read(FILE).unwrap();
        assert_eq!(array.borrow().len(), 2);
        let mut file = Vec::new();
        super::super::write::write(&mut file, &array.borrow(), &NumberFormat::parse(b"%.6g"))
            .unwrap();
        assert_eq!(file.len(), FILE.len());
        assert_eq!(read(&file).unwrap().borrow().len(), 2);
    }

    #[test]
    fn a_file_that_ends_too_early_is_an_error_wherever_it_ends() {
        for end in 0..FILE.len() {
            assert!(read(&FILE[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn arrays_may_be_nested_as_deep_as_a_file_has_them() {
        let mut file = FILE[..16].to_vec();
        for _ in 0..100_000 {
            file.extend_from_slice(b"\0\0\0\x01\0\0\0\x01k\0\0\0\x05");
        }
        assert!(read(&file).is_err());
        file.extend_from_slice(b"\0\0\0\0");
        assert_eq!(read(&file).unwrap().borrow().len(), 1);
    }
}
