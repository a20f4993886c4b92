//! The current record: `$0`, its fields, and assignments to them.
//!
//! The text is a range of the main input's window, valid until the next refill, or the record's own
//! buffer. Fields are ranges, found as far as needed. After a field is assigned, `$0` is *stale*
//! until it is joined for reading.
#![allow(unsafe_code)]

use crate::splitter::Splitter;
use crate::table::{Path, TableFormat};
use riverhawk_memory::{self as memory, Growing};
use riverhawk_simd::{
    FINISHED, MARKED_BYTES, find_blank_field, find_byte_field, find_marked_field, mark_fields,
};
pub use riverhawk_value::TextKind;
use riverhawk_value::{Ascii, NumberFormat, Value, View};

/// More fields than this are split together.
const MAX_ALONE: usize = 2;

/// What is blank is marked in the first [`MARKED_BYTES`] to find fields, if none behind this is named.
const MAX_MARKED: usize = 6;

/// So often a field may lie behind the marks before they are given up.
const MAX_MISSES: u8 = 64;

/// The current record.
pub struct Record {
    /// Into `own`, `block`, or the main input's window, whose owner calls [`Record::leave_window`]
    /// before moving those bytes.
    text: *const u8,
    len: usize,
    /// Of the text and of the bytes that are known to lie behind it.
    reach: usize,
    place: Place,
    ascii: Ascii,
    own: Vec<u8>,
    spare: Vec<u8>,
    pub(crate) fields: Vec<(u32, u32)>,
    /// See [`Record::find_alone`].
    alone_at_first: u8,
    /// For this record.
    alone: u8,
    /// From `MAX_MISSES` on nothing is marked.
    misses: u8,
    /// Whether `inside` has the marks of this record, and no field was assigned.
    marked: bool,
    inside: u64,
    /// Whether NF is mostly wanted without the fields.
    counts_alone: bool,
    /// NF of this text, if it was counted alone: loops ask for it at each turn.
    counted: Option<usize>,
    /// [`FINISHED`] when all fields are known.
    pub(crate) split_at: usize,
    /// By the index of `fields`: assigned values, and meanings that differ from the text; empty if
    /// none.
    pub(crate) assigned: Vec<Option<Value>>,
    /// In rows of a table; may be shorter than `fields`.
    pub(crate) edited: Vec<bool>,
    /// To NF.
    assigned_count: Option<Value>,
    kind: TextKind,
    /// The value assigned to `$0`: a number has digits that CONVFMT omits.
    whole: Option<Value>,
    /// Whether `assigned`, `assigned_count` or `whole` is in use.
    pub(crate) touched: bool,
    stale: bool,
    pub(crate) splitter: Splitter,
    /// For JSON records.
    pub(crate) paths: Vec<Path>,
}

/// A field's range.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Located {
    start: u32,
    end: u32,
}

const NOWHERE: Located = Located { start: u32::MAX, end: 0 };

/// In two loads, since it was often just stored in two: a single load would wait for the store
/// buffer.
#[inline(always)]
fn noted((start, end): &(u32, u32)) -> Located {
    // SAFETY: references.
    unsafe { Located { start: std::ptr::read_volatile(start), end: std::ptr::read_volatile(end) } }
}

impl From<Located> for View {
    #[inline(always)]
    fn from(field: Located) -> View {
        View::input(field.start, field.end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Own,
    /// A record of the window.
    Window,
    /// A part of a record of the window.
    Part,
}

/// What joining `$0` needs.
pub struct Joining<'a> {
    /// OFS.
    pub separator: &'a [u8],
    /// CONVFMT.
    pub convfmt: &'a NumberFormat,
    /// Write fields as a table's row, regardless of OFS.
    pub row: Option<TableFormat>,
}

/// Offsets in a record, for machine code.
impl Record {
    /// Of the text's address.
    pub const TEXT_AT: usize = std::mem::offset_of!(Record, text);
    /// Of the text's size in bytes.
    pub const SIZE_AT: usize = std::mem::offset_of!(Record, len);
    /// Of the text's [`Ascii`].
    pub const ASCII_AT: usize = std::mem::offset_of!(Record, ascii);
    /// Of the [`TextKind`] of `$0`.
    pub const KIND_AT: usize = std::mem::offset_of!(Record, kind);
    /// Of how far from the text's address on there are bytes.
    pub const REACH_AT: usize = std::mem::offset_of!(Record, reach);
    /// Of a byte, zero if the text is `$0`.
    pub const STALE_AT: usize = std::mem::offset_of!(Record, stale);
    /// Of a byte, zero if `$0` and its fields are what the text says.
    pub const TOUCHED_AT: usize = std::mem::offset_of!(Record, touched);
}

impl Record {
    /// An empty record, split by `splitter`.
    pub fn new(splitter: Splitter) -> Record {
        Record {
            text: std::ptr::NonNull::dangling().as_ptr(),
            len: 0,
            reach: 0,
            place: Place::Own,
            ascii: Ascii::Certain,
            own: Vec::new(),
            spare: Vec::new(),
            fields: Vec::new(),
            alone_at_first: 0,
            alone: 0,
            misses: MAX_MISSES,
            marked: false,
            inside: 0,
            counts_alone: true,
            counted: None,
            split_at: FINISHED,
            assigned: Vec::new(),
            edited: Vec::new(),
            assigned_count: None,
            kind: TextKind::Input,
            // Visible through `typeof`.
            whole: Some(Value::NoField),
            touched: true,
            stale: false,
            splitter,
            paths: Vec::new(),
        }
    }

    /// Bytes held, about; in a window, those of the record.
    pub fn footprint(&self) -> usize {
        let text = if self.place == Place::Own { 0 } else { self.len };
        text + self.own.capacity()
            + self.spare.capacity()
            + self.fields.capacity() * size_of::<(u32, u32)>()
            + self.assigned.capacity() * size_of::<Option<Value>>()
    }

    /// The text of views: `$0` unless that is stale.
    #[inline(always)]
    pub fn text(&self) -> &[u8] {
        // SAFETY: `text` and `len` are a live range of `own` or the window, see the field's
        // comment; an empty record has a dangling pointer and length 0.
        unsafe { std::slice::from_raw_parts(self.text, self.len) }
    }

    /// The text and what lies behind it in memory, for loads of more than is wanted.
    #[inline(always)]
    pub fn text_and_behind(&self) -> &[u8] {
        // SAFETY: as in `text`; `reach` ends in the same buffer.
        unsafe { std::slice::from_raw_parts(self.text, self.reach) }
    }

    /// Whether the text is `$0` and certainly all ASCII.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.ascii == Ascii::Certain
    }

    /// Whether the text is a record of the window, unchanged.
    #[inline]
    pub fn is_in_window(&self) -> bool {
        self.place == Place::Window && !self.stale
    }

    /// Whether the text is a record of the window or a part of one.
    #[inline]
    pub fn is_within_window(&self) -> bool {
        self.place != Place::Own && !self.stale
    }

    /// Becomes the first `len` bytes of what is left of the main input's window.
    ///
    /// # Safety
    /// There must be as many, and `window` must stay in place, unchanged, until
    /// [`Record::leave_window`] or another `set`.
    #[inline(always)]
    pub unsafe fn set_window(&mut self, window: &[u8], len: usize, ascii: Ascii) {
        debug_assert!(len <= window.len());
        self.text = window.as_ptr();
        self.len = len;
        self.reach = window.len();
        self.place = Place::Window;
        self.ascii = ascii;
        self.forget_fields();
    }

    #[inline(always)]
    pub(crate) fn touch(&mut self) {
        (self.touched, self.marked) = (true, false);
    }

    #[inline(always)]
    fn forget_fields(&mut self) {
        self.fields.clear();
        (self.split_at, self.counted) = (0, None);
        self.alone = self.alone_at_first;
        self.marked = false;
        self.kind = TextKind::Input;
        if self.touched {
            self.forget_assignments();
        }
    }

    #[cold]
    fn forget_assignments(&mut self) {
        self.assigned.clear();
        self.edited.clear();
        self.assigned_count = None;
        self.whole = None;
        self.stale = false;
        self.touched = false;
    }

    /// The assigned value of NF.
    pub fn assigned_count(&self) -> Option<&Value> {
        self.assigned_count.as_ref()
    }

    /// Copies the text before the window moves; fields are relative.
    pub fn leave_window(&mut self) {
        if self.place != Place::Own {
            let mut own = std::mem::take(&mut self.own);
            own.clear();
            memory::append(&mut own, self.text());
            if own.len() < self.len {
                // Out of memory the run ends.
                self.forget_fields();
                self.split_at = FINISHED;
            }
            self.adopt(own);
        }
    }

    /// As [`Record::leave_window`], taking over the window's block.
    pub fn leave_window_with(&mut self, block: Vec<u8>, start_at: usize) {
        if self.place == Place::Own {
            return;
        }
        // A wrong `start_at` must not leave a dangling pointer.
        match block.get(start_at..start_at + self.len).map(<[u8]>::as_ptr) {
            Some(text) => {
                self.own = block;
                self.text = text;
                self.reach = self.len;
                self.place = Place::Own;
            }
            None => self.leave_window(),
        }
    }

    fn adopt(&mut self, own: Vec<u8>) {
        self.own = own;
        self.text = self.own.as_ptr();
        self.len = self.own.len();
        self.reach = self.len;
        self.place = Place::Own;
    }

    /// Replaces `$0` by a copy of `text`.
    pub fn set_text(&mut self, text: &[u8], kind: TextKind) {
        // `text` may be part of the old text.
        let mut spare = std::mem::take(&mut self.spare);
        spare.clear();
        memory::append(&mut spare, text);
        self.spare = std::mem::take(&mut self.own);
        self.adopt(spare);
        self.ascii = Ascii::Unknown;
        self.forget_fields();
        self.kind = kind;
    }

    /// Replaces `$0` by a number or nothing, written as `text`.
    pub fn set_whole(&mut self, value: Value, text: &[u8]) {
        self.set_text(text, TextKind::Input);
        self.whole = Some(value);
        self.touch();
    }

    /// Swaps `$0` with `text`, for reuse of the buffer.
    pub fn swap_text(&mut self, text: &mut Vec<u8>, ascii: Ascii) {
        let own = std::mem::take(text);
        *text = std::mem::take(&mut self.own);
        self.adopt(own);
        self.ascii = ascii;
        self.forget_fields();
        self.kind = TextKind::Text;
    }

    /// `$0` becomes a part of itself, without a copy.
    ///
    /// # Panics
    /// If the range is not inside the text.
    pub fn cut(&mut self, start: usize, end: usize) {
        let part = &self.text()[start..end];
        (self.text, self.len) = (part.as_ptr(), part.len());
        self.reach -= start;
        if self.place == Place::Window {
            self.place = Place::Part;
        }
        self.forget_fields();
        self.kind = TextKind::Text;
    }

    /// From the next record on; this one is split now.
    pub fn set_splitter(&mut self, splitter: Splitter) {
        self.split_all();
        self.splitter = splitter;
    }

    /// How fields are cut.
    pub fn splitter(&self) -> &Splitter {
        &self.splitter
    }

    /// Splits a directory entry at its first and last slash.
    pub fn cut_entry(&mut self) {
        let text = self.text();
        let (Some(first), Some(last)) = (memchr::memchr(b'/', text), memchr::memrchr(b'/', text))
        else {
            return;
        };
        // A name has at most 255 bytes.
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
            // SAFETY: as in `text`; repeated because the fields are borrowed mutably.
            let text = unsafe { std::slice::from_raw_parts(self.text, self.len) };
            self.split_at = self.splitter.split_some(text, self.split_at, wanted, &mut self.fields);
        }
    }

    pub(crate) fn split_all(&mut self) {
        self.split_to(usize::MAX);
    }

    /// NF, if it was asked for or all fields are found, and nothing was assigned.
    #[inline(always)]
    pub fn known_count(&self) -> Option<usize> {
        if self.touched {
            return None;
        }
        if self.split_at == FINISHED { Some(self.fields.len()) } else { self.counted }
    }

    /// Field `number`, if found and no field was assigned.
    #[inline(always)]
    pub fn known_field(&self, number: usize) -> Option<View> {
        if self.touched {
            return None;
        }
        // 0, the record, becomes an invalid index.
        let at = number.wrapping_sub(1);
        self.fields.get(at).map(|field| noted(field).into())
    }

    /// Sets the paths that can name fields.
    pub fn set_paths(&mut self, paths: Vec<Path>) {
        self.paths = paths;
    }

    /// NF.
    pub fn count(&mut self) -> usize {
        let is_unsplit = self.split_at == 0 && self.fields.is_empty();
        if is_unsplit && self.counts_alone && matches!(self.splitter, Splitter::Blanks) {
            // SAFETY: as in `text`; repeated because the count is borrowed mutably.
            let text = unsafe { std::slice::from_raw_parts(self.text, self.len) };
            return *self.counted.get_or_insert_with(|| riverhawk_simd::count_blank_fields(text));
        }
        self.split_all();
        self.fields.len()
    }

    /// Field `n`, from 1; empty text if missing.
    #[inline(always)]
    pub fn field(&mut self, n: usize) -> Value {
        match self.field_view(n, n) {
            Some(view) => Value::View(view),
            None => self.unusual_field(n),
        }
    }

    /// Field `n`, from 1, if it is a range of the text, else use
    /// [`unusual_field`](Self::unusual_field). Splits up to `reach`.
    #[inline(always)]
    pub fn field_view(&mut self, n: usize, reach: usize) -> Option<View> {
        if self.marked
            && let Some((start, end)) = find_marked_field(self.inside, n)
        {
            return Some(View::input(start, end));
        }
        if let Some(view) = self.known_field(n) {
            return Some(view);
        }
        match self.locate(n, reach) {
            NOWHERE => None,
            field => Some(field.into()),
        }
    }

    /// `$0`, if it is its text.
    #[inline(always)]
    pub fn whole_view(&self) -> Option<View> {
        (!self.touched).then_some(View { start: 0, end: self.len as u32, kind: self.kind })
    }

    /// A range fits in two registers; a value is stored in parts, and loading it whole stalls.
    #[inline(never)]
    fn locate(&mut self, n: usize, reach: usize) -> Located {
        if self.split_at == 0 && !self.touched {
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

    /// A field without a [view](Self::field_view).
    #[inline(never)]
    pub fn unusual_field(&mut self, n: usize) -> Value {
        match self.assigned.is_empty() {
            // `$9 == 0` is false in every awk but busybox's.
            true => self.field_by_path(n),
            false => self.assigned_field(n),
        }
    }

    /// The fields that the program asks for: up to `MAX_ALONE` are found individually, and all up to
    /// number `MAX_MARKED` among marks, where they lie there.
    pub fn expect_fields(&mut self, fields: impl Iterator<Item = usize>) {
        let (count, last) = fields.fold((0, 0), |(count, last), n| (count + 1, n.max(last)));
        self.alone_at_first = if count <= MAX_ALONE { count as u8 } else { 0 };
        self.misses = if (1..=MAX_MARKED).contains(&last) { 0 } else { MAX_MISSES };
    }

    /// The program needs all fields with NF, or none: then they are found with it.
    pub fn expect_all_fields(&mut self) {
        (self.alone_at_first, self.misses, self.counts_alone) = (0, MAX_MISSES, false);
    }

    /// Counts the fields before it without storing them.
    #[inline(always)]
    fn find_alone(&mut self, n: usize) -> Located {
        if self.misses < MAX_MISSES && !self.marked && matches!(self.splitter, Splitter::Blanks) {
            self.inside = mark_fields(self.text_and_behind(), self.len);
            self.marked = true;
            if let Some((start, end)) = find_marked_field(self.inside, n) {
                return Located { start, end };
            }
        }
        if self.marked && self.len >= MARKED_BYTES {
            self.misses = MAX_MISSES.min(self.misses + 1);
        }
        if self.alone == 0 {
            return NOWHERE;
        }
        let found = match self.splitter {
            Splitter::Blanks => find_blank_field(self.text(), n),
            Splitter::Byte(byte) => find_byte_field(self.text(), byte, n),
            _ => None,
        };
        self.alone -= 1;
        found.map_or(NOWHERE, |(start, end)| Located { start, end })
    }

    fn assigned_field(&mut self, n: usize) -> Value {
        match (self.assigned.get(n - 1), self.fields.get(n - 1)) {
            (Some(Some(value)), _) => value.clone(),
            // No view, since `$0` may be joined meanwhile.
            (_, Some(&(start, end))) => Value::from_input(View::input(start, end).of(self.text())),
            _ => self.field_by_path(n),
        }
    }

    /// `$0`, joined first if it is stale.
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
            None => Value::View(View { start: 0, end: self.len as u32, kind: self.kind }),
        }
    }

    /// Whether `$0` must be joined before it is read.
    #[inline(always)]
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Joins the fields into `$0`.
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
                    out.extend_by(View::input(start, end).of(self.text()));
                }
            }
            // Replaces the old range by that in the new text.
            self.fields[at] = (start as u32, out.len() as u32);
        }
    }

    /// Creates missing fields, empty. `value` is no view.
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
        self.touch();
    }

    /// Creates fields up to `n` without changing `$0`, as a target does.
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

    /// False if out of memory.
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
        // As in gawk the fields between stay unassigned.
        for created in self.assigned.iter_mut().take(n - 1).skip(before) {
            *created = Some(Value::NoField);
        }
        true
    }

    /// Truncates or extends the fields and joins `$0`. `kept` is NF's value.
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
        self.touch();
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
