//! What the program prints, as events.

use std::io::{self, Write};

use riverhawk_text::encoding::incomplete_tail;

use crate::outbox::{Category, Outbox};

/// Sends text in whole characters; bytes that are none become U+FFFD.
pub(crate) struct Printed {
    outbox: Outbox,
    category: Category,
    /// The beginning of a character.
    held: Vec<u8>,
}

impl Printed {
    pub(crate) fn new(outbox: &Outbox, category: Category) -> Printed {
        Printed { outbox: outbox.clone(), category, held: Vec::new() }
    }
}

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let whole = self.held.len() - incomplete_tail(&self.held);
        let rest = self.held.split_off(whole);
        self.outbox.show(self.category, &String::from_utf8_lossy(&self.held));
        self.held = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Printed {
    fn drop(&mut self) {
        self.outbox.show(self.category, &String::from_utf8_lossy(&self.held));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_that_is_cut_waits_for_its_rest() {
        for (text, held) in [
            ("a".as_bytes(), 0),
            ("ä".as_bytes(), 0),
            (&"ä".as_bytes()[..1], 1),
            (&"😀".as_bytes()[..3], 3),
            (b"a\xff", 0),
            (b"a\x80\x80", 0),
            (b"\xff\xc3", 1),
        ] {
            let mut printed = Printed::new(&Outbox::new(Box::new(io::sink())), Category::Stdout);
            printed.write_all(text).unwrap();
            assert_eq!(printed.held.len(), held, "{text:?}");
        }
    }
}
