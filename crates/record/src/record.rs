//! The current record: `$0`, its fields, and what assignments do to them.
//!
//! The text is either a range of the main input's window, which costs nothing and lives until the
//! next refill, or a buffer of this record's own. Fields are ranges of the text, found only when
//! asked for and only as far as asked. An assigned field keeps its value beside its range; `$0` is
//! then *stale* and put together again only when somebody reads it.
#![allow(unsafe_code)]

use crate::splitter::Splitter;
use crate::table::{Path, TableFormat};
use riverhawk_memory::{self as memory, Growing};
use riverhawk_simd::{FINISHED, find_blank_field, find_byte_field};
use riverhawk_value::{Ascii, NumberFormat, Value, View};

/// Programs that ask for more fields than so many have them split at once.
const MAX_ALONE: usize = 2;

/// The current record.
pub struct Record {
    /// The text. Either points into `own` or `block`, or into the window of the main input, whose
    /// owner calls [`Record::leave_window`] before it moves or frees those bytes.
    text: *const u8,
    len: usize,
    place: Place,
    ascii: Ascii,
    own: Vec<u8>,
    spare: Vec<u8>,
    pub(crate) fields: Vec<(u32, u32)>,
    /// So many fields of each record are found without those before them being noted: see
    /// [`Record::find_alone`].
    alone_at_first: u8,
    /// What is left of that for this record.
    alone: u8,
    /// Where splitting goes on; [`FINISHED`] when all fields are known.
    pub(crate) split_at: usize,
    /// Values of assigned fields, and of fields of a row that stand for something else than their
    /// text, index for index with `fields`; empty while there are none.
    pub(crate) assigned: Vec<Option<Value>>,
    /// In rows of a table: which fields were assigned. May be shorter than `fields`.
    pub(crate) edited: Vec<bool>,
    /// What NF was assigned.
    assigned_count: Option<Value>,
    /// How `$0` compares.
    kind: TextKind,
    /// What `$0` was assigned when that is more than its text: a number keeps the digits that
    /// CONVFMT does not write, nothing stays nothing.
    whole: Option<Value>,
    /// Some field or NF was assigned, or has a value beside its range.
    pub(crate) touched: bool,
    /// `$0` must be put together from the fields before it is read.
    stale: bool,
    pub(crate) splitter: Splitter,
    /// Paths that the program names, of records that are JSON.
    pub(crate) paths: Vec<Path>,
}

/// What `$0` is when it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A string that the program made.
    Text,
    /// Input text: a number when it looks like one.
    Input,
}

/// No field is here.
const NOWHERE: View = View { start: u32::MAX, end: 0 };

/// A field that was noted, often just now: in two stores, so in two loads. One of both would wait
/// until they have left the processor's store buffer; `$4 > 500 { n++ }` took 1.12 times as long.
#[inline(always)]
fn noted((start, end): &(u32, u32)) -> View {
    // SAFETY: references.
    unsafe { View { start: std::ptr::read_volatile(start), end: std::ptr::read_volatile(end) } }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Own,
    Window,
}

/// What putting `$0` together needs.
pub struct Joining<'a> {
    /// OFS.
    pub separator: &'a [u8],
    /// CONVFMT.
    pub convfmt: &'a NumberFormat,
    /// Fields are written as those of a table's row, whatever OFS is.
    pub row: Option<TableFormat>,
}

impl Record {
    /// An empty record whose fields are cut by `splitter`.
    pub fn new(splitter: Splitter) -> Record {
        Record {
            text: std::ptr::NonNull::dangling().as_ptr(),
            len: 0,
            place: Place::Own,
            ascii: Ascii::Certain,
            own: Vec::new(),
            spare: Vec::new(),
            fields: Vec::new(),
            alone_at_first: 0,
            alone: 0,
            split_at: FINISHED,
            assigned: Vec::new(),
            edited: Vec::new(),
            assigned_count: None,
            kind: TextKind::Input,
            // Before the first record there is no text, and `typeof` can tell.
            whole: Some(Value::NoField),
            touched: true,
            stale: false,
            splitter,
            paths: Vec::new(),
        }
    }

    /// About how many bytes it holds: of the window, those of the record.
    pub fn footprint(&self) -> usize {
        let text = if self.place == Place::Window { self.len } else { 0 };
        text + self.own.capacity()
            + self.spare.capacity()
            + self.fields.capacity() * size_of::<(u32, u32)>()
            + self.assigned.capacity() * size_of::<Option<Value>>()
    }

    /// The text that views are ranges of. It is `$0` unless a field was assigned and nobody has
    /// read `$0` since.
    #[inline(always)]
    pub fn text(&self) -> &[u8] {
        // SAFETY: `text` and `len` are a live range of `own` or of the window, see the field's
        // comment; an empty record has a dangling pointer and length 0.
        unsafe { std::slice::from_raw_parts(self.text, self.len) }
    }

    /// The text is certainly all ASCII (false: unknown), and is `$0`.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.ascii == Ascii::Certain
    }

    /// Whether the text is the record that the main input's window holds, untouched.
    #[inline]
    pub fn is_in_window(&self) -> bool {
        self.place == Place::Window && !self.stale
    }

    /// Becomes a range of the main input's window.
    ///
    /// # Safety
    /// `text` must stay where it is, unchanged, until [`Record::leave_window`] or another `set` is
    /// called.
    #[inline(always)]
    pub unsafe fn set_window(&mut self, text: &[u8], ascii: Ascii) {
        self.text = text.as_ptr();
        self.len = text.len();
        self.place = Place::Window;
        self.ascii = ascii;
        self.forget_fields();
    }

    #[inline(always)]
    fn forget_fields(&mut self) {
        self.fields.clear();
        self.split_at = 0;
        self.alone = self.alone_at_first;
        if self.touched {
            self.forget_assignments();
        }
    }

    #[cold]
    fn forget_assignments(&mut self) {
        self.assigned.clear();
        self.edited.clear();
        self.assigned_count = None;
        self.kind = TextKind::Input;
        self.whole = None;
        self.stale = false;
        self.touched = false;
    }

    /// What NF was assigned, if it was.
    pub fn assigned_count(&self) -> Option<&Value> {
        self.assigned_count.as_ref()
    }

    /// Copies the text out of the window, whose bytes are about to move. Fields stay valid: they
    /// are relative.
    pub fn leave_window(&mut self) {
        if self.place == Place::Window {
            let mut own = std::mem::take(&mut self.own);
            own.clear();
            memory::append(&mut own, self.text());
            if own.len() < self.len {
                // Without memory for the text the run ends; what is left has no fields.
                self.forget_fields();
                self.split_at = FINISHED;
            }
            self.adopt(own);
        }
    }

    /// As [`Record::leave_window`] when the window gives its whole block away: `block` holds the
    /// text from `start_at` on.
    pub fn leave_window_with(&mut self, block: Vec<u8>, start_at: usize) {
        if self.place != Place::Window {
            return;
        }
        // Whatever `start_at` says, the record must not go on pointing into a block that this
        // function drops.
        match block.get(start_at..start_at + self.len).map(<[u8]>::as_ptr) {
            Some(text) => {
                self.own = block;
                self.text = text;
                self.place = Place::Own;
            }
            None => self.leave_window(),
        }
    }

    /// The text is now all of `own`; nothing else changes.
    fn adopt(&mut self, own: Vec<u8>) {
        self.own = own;
        self.text = self.own.as_ptr();
        self.len = self.own.len();
        self.place = Place::Own;
    }

    /// Replaces `$0` by a copy of `text`.
    pub fn set_text(&mut self, text: &[u8], kind: TextKind) {
        // The text may be a part of the present one, so it is copied before that is let go.
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        memory::append(&mut spare, text);
        self.spare = std::mem::take(&mut self.own);
        self.adopt(spare);
        self.ascii = Ascii::Unknown;
        self.forget_fields();
        self.kind = kind;
        self.touched |= kind == TextKind::Text;
    }

    /// Replaces `$0` by a number or nothing, written as `text`.
    pub fn set_whole(&mut self, value: Value, text: &[u8]) {
        self.set_text(text, TextKind::Input);
        self.whole = Some(value);
        self.touched = true;
    }

    /// Replaces `$0` by `text`, which receives a buffer to use again.
    pub fn swap_text(&mut self, text: &mut Vec<u8>) {
        let own = std::mem::take(text);
        *text = std::mem::take(&mut self.own);
        self.adopt(own);
        self.ascii = Ascii::Unknown;
        self.forget_fields();
        self.kind = TextKind::Text;
        self.touched = true;
    }

    /// From the next record on fields are cut by `splitter`; those of this record are found now, by
    /// the old one.
    pub fn set_splitter(&mut self, splitter: Splitter) {
        self.split_all();
        self.splitter = splitter;
    }

    /// How fields are cut.
    pub fn splitter(&self) -> &Splitter {
        &self.splitter
    }

    /// Cuts this record, the entry of a directory, at its first and last slash: its name has none.
    pub fn cut_entry(&mut self) {
        let text = self.text();
        let (Some(first), Some(last)) = (memchr::memchr(b'/', text), memchr::memrchr(b'/', text))
        else {
            return;
        };
        // A name is of 255 bytes at most.
        let (first, last, end) = (first as u32, last as u32, text.len() as u32);
        self.fields.clear();
        self.fields.extend([(0, first), (first + 1, last), (last + 1, end)]);
        self.split_at = FINISHED;
    }

    #[inline]
    fn split_to(&mut self, count: usize) {
        if let Splitter::Row(format) = self.splitter {
            return self.split_row(format, count);
        }
        while self.fields.len() < count && self.split_at != FINISHED {
            let wanted = count - self.fields.len();
            // SAFETY: as in `text`; written out because the fields are borrowed mutably at the same
            // time.
            let text = unsafe { std::slice::from_raw_parts(self.text, self.len) };
            self.split_at = self.splitter.split_some(text, self.split_at, wanted, &mut self.fields);
        }
    }

    /// Finds all fields.
    pub(crate) fn split_all(&mut self) {
        self.split_to(usize::MAX);
    }

    /// All fields have been found and none assigned, so NF is just their number.
    #[inline(always)]
    pub fn is_plainly_split(&self) -> bool {
        self.split_at == FINISHED && !self.touched
    }

    /// The number of fields found.
    #[inline(always)]
    pub fn split_count(&self) -> usize {
        self.fields.len()
    }

    /// The field of this number if it has been found and no field was assigned.
    #[inline(always)]
    pub fn known_field(&self, number: usize) -> Option<View> {
        if self.touched {
            return None;
        }
        // 0, the record, becomes an index that no field has.
        let at = number.wrapping_sub(1);
        self.fields.get(at).map(noted)
    }

    /// The paths that fields may be named by.
    pub fn set_paths(&mut self, paths: Vec<Path>) {
        self.paths = paths;
    }

    /// NF.
    pub fn count(&mut self) -> usize {
        if self.split_at == 0 && self.fields.is_empty() && matches!(self.splitter, Splitter::Blanks)
        {
            // Counting is cheaper than finding, and most programs that ask for NF want nothing else
            // or `$NF`.
            return riverhawk_simd::count_blank_fields(self.text());
        }
        self.split_all();
        self.fields.len()
    }

    /// Field `n`, from 1: a view of the text, the value that was assigned, or the empty text when
    /// there is no such field.
    #[inline(always)]
    pub fn field(&mut self, n: usize) -> Value {
        match self.field_view(n, n) {
            Some(view) => Value::View(view),
            None => self.unusual_field(n),
        }
    }

    /// Field `n`, from 1, if it is a part of the text; otherwise it is an
    /// [unusual](Self::unusual_field) one. If it has to be looked for, so are those up to
    /// `reach`.
    #[inline(always)]
    pub fn field_view(&mut self, n: usize, reach: usize) -> Option<View> {
        if let Some(view) = self.known_field(n) {
            return Some(view);
        }
        match self.locate(n, reach) {
            NOWHERE => None,
            view => Some(view),
        }
    }

    /// `$0`, if it is nothing but the text.
    #[inline(always)]
    pub fn whole_view(&self) -> Option<View> {
        (!self.touched).then_some(View { start: 0, end: self.len as u32 })
    }

    /// Where field `n` is, if it is a part of the text, or [`NOWHERE`]. A view fits in two
    /// registers: a value goes through memory, where it is written in pieces and, read as a
    /// whole, has to wait for them.
    #[inline(never)]
    fn locate(&mut self, n: usize, reach: usize) -> View {
        if self.alone > 0 {
            self.alone -= 1;
            let found = self.find_alone(n);
            if found != NOWHERE {
                return found;
            }
        }
        if self.fields.len() < n {
            self.split_to(reach);
        }
        match self.fields.get(n.wrapping_sub(1)) {
            Some(field) if self.assigned.is_empty() => noted(field),
            _ => NOWHERE,
        }
    }

    /// A field that is no part of the text as it is: for one that has no [view](Self::field_view).
    #[inline(never)]
    pub fn unusual_field(&mut self, n: usize) -> Value {
        match self.assigned.is_empty() {
            // Text, not nothing: `$9 == 0` is false in every awk but busybox's.
            true => self.field_by_path(n),
            false => self.assigned_field(n),
        }
    }

    /// Of each record, so many fields are asked for: up to [`MAX_ALONE`] are found each by itself.
    pub fn expect_fields(&mut self, count: usize) {
        self.alone_at_first = if count <= MAX_ALONE { count as u8 } else { 0 };
    }

    /// A field of a record of which none is known: those before it are counted, but not noted.
    #[inline(always)]
    fn find_alone(&self, n: usize) -> View {
        if self.touched || self.split_at != 0 {
            return NOWHERE;
        }
        let field = match self.splitter {
            Splitter::Blanks => find_blank_field(self.text(), n),
            Splitter::Byte(byte) => find_byte_field(self.text(), byte, n),
            _ => None,
        };
        field.map_or(NOWHERE, |(start, end)| View { start, end })
    }

    fn assigned_field(&mut self, n: usize) -> Value {
        match (self.assigned.get(n - 1), self.fields.get(n - 1)) {
            (Some(Some(value)), _) => value.clone(),
            // `$0` may be put together anew while the value is held, so it must not be a view.
            (_, Some(&(start, end))) => Value::from_input(View { start, end }.of(self.text())),
            _ => self.field_by_path(n),
        }
    }

    /// `$0` as a view, or as what it was assigned; put together first if it is stale.
    #[inline]
    pub fn whole(&mut self, joining: Joining<'_>) -> Value {
        match self.whole_view() {
            Some(view) => Value::View(view),
            None => self.assigned_whole(joining),
        }
    }

    #[cold]
    fn assigned_whole(&mut self, joining: Joining<'_>) -> Value {
        if self.stale {
            self.join(joining);
        }
        match &self.whole {
            Some(value) => value.clone(),
            None if self.kind == TextKind::Text => Value::from_text(self.text()),
            None => Value::View(View { start: 0, end: self.len as u32 }),
        }
    }

    /// Whether `$0` must be put together before it can be read.
    #[inline(always)]
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Puts `$0` together from the fields.
    #[inline(never)]
    pub fn join(&mut self, joining: Joining<'_>) {
        let mut out = std::mem::take(&mut self.spare);
        out.clear();
        match joining.row {
            Some(format) => self.fields = self.write_row(format, joining.convfmt, &mut out),
            None => self.join_by(&joining, &mut out),
        }
        self.spare = std::mem::take(&mut self.own);
        self.adopt(out);
        self.ascii = Ascii::Unknown;
        self.stale = false;
        self.kind = TextKind::Text;
        self.whole = None;
    }

    fn join_by(&mut self, joining: &Joining<'_>, out: &mut Vec<u8>) {
        for at in 0..self.fields.len() {
            if at > 0 {
                out.extend_by(joining.separator);
            }
            let start = out.len();
            match self.assigned.get(at) {
                Some(Some(value)) => value.append_to(&[], joining.convfmt, out),
                _ => {
                    let (start, end) = self.fields[at];
                    out.extend_by(View { start, end }.of(self.text()));
                }
            }
            // The old range has been read; from here on it is one of the new text.
            self.fields[at] = (start as u32, out.len() as u32);
        }
    }

    /// Assigns field `n`, from 1; fields between the last one and it come into being, empty.
    /// `value` is no view.
    pub fn set_field(&mut self, n: usize, value: Value) {
        if !self.prepare_assignment(n) {
            return;
        }
        self.assigned[n - 1] = Some(value);
        if matches!(self.splitter, Splitter::Row(_)) {
            self.edited.resize(self.fields.len(), false);
            self.edited[n - 1] = true;
        }
        self.stale = true;
        self.touched = true;
    }

    /// Field `n` and those before it come into being, without touching `$0`: what naming a field as
    /// a target does.
    pub fn reach(&mut self, n: usize) {
        if self.path_of(n).is_some() {
            return;
        }
        self.split_all();
        let more = n.saturating_sub(self.fields.len());
        if more > 0 && memory::grow(&mut self.fields, more) {
            self.fields.resize(n, (0, 0));
            self.assigned_count = None;
        }
    }

    /// Whether there is memory for it.
    fn prepare_assignment(&mut self, n: usize) -> bool {
        self.split_all();
        let before = self.fields.len();
        self.reach(n);
        let more = self.fields.len().saturating_sub(self.assigned.len());
        if self.fields.len() < n && self.path_of(n).is_none()
            || !memory::grow(&mut self.assigned, more)
        {
            return false;
        }
        self.assigned.resize(self.assigned.len() + more, None);
        // As in gawk those between stay fields that nothing was assigned to.
        for created in self.assigned.iter_mut().take(n - 1).skip(before) {
            *created = Some(Value::NoField);
        }
        true
    }

    /// Assigns NF: fields past it go, missing ones come into being, `$0` is put together anew.
    /// `kept` is what reading NF gives until it changes.
    pub fn set_count(&mut self, count: usize, kept: Value) {
        self.split_all();
        let before = self.fields.len();
        let (more, more_assigned) =
            (count.saturating_sub(before), count.saturating_sub(self.assigned.len()));
        if !memory::grow(&mut self.fields, more) || !memory::grow(&mut self.assigned, more_assigned)
        {
            return;
        }
        self.fields.resize(count, (0, 0));
        self.assigned.resize(count, None);
        self.edited.truncate(count);
        for created in self.assigned.iter_mut().skip(before) {
            *created = Some(Value::NoField);
        }
        self.assigned_count = Some(kept);
        self.stale = true;
        self.touched = true;
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
