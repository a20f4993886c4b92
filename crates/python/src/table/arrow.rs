//! Arrow's C data interface and its C stream interface, by which other libraries take batches
//! without a copy: <https://arrow.apache.org/docs/format/CStreamInterface.html>.
//!
//! A structure owns what its pointers point to, by `private_data`, until its `release` is called.
//! `release` is null from then on, and after the structure was moved elsewhere; it is called once.

use super::column::{Batch, Column, ColumnType, Values};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};

const NULLABLE: i64 = 2;

/// Why there is no schema or batch.
pub(crate) struct StreamError {
    /// As of the system: `EINVAL` for data that are wrong, else `EIO`.
    pub code: c_int,
    pub message: String,
}

pub(crate) const EIO: c_int = 5;
pub(crate) const EINVAL: c_int = 22;

/// The name and type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub name: String,
    pub kind: ColumnType,
}

/// What a stream takes its batches from.
pub(crate) trait BatchSource: Send {
    fn schema(&mut self) -> Result<Vec<Field>, StreamError>;

    /// `None` at the end, also when asked again.
    fn next(&mut self) -> Result<Option<Batch>, StreamError>;
}

/// `struct ArrowSchema`.
#[repr(C)]
pub(crate) struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream`.
#[repr(C)]
pub(crate) struct ArrowArrayStream {
    get_schema: unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int,
    get_next: unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int,
    get_last_error: unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// What an [`ArrowSchema`] points to.
struct SchemaParts {
    name: CString,
    children: Vec<*mut ArrowSchema>,
}

/// What an [`ArrowArray`] points to. A child that was moved out has its own parts.
struct ArrayParts {
    _column: Option<Column>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
}

/// What an [`ArrowArrayStream`] points to.
struct StreamParts {
    source: Box<dyn BatchSource>,
    error: CString,
}

fn format_of(kind: ColumnType) -> &'static CStr {
    match kind {
        ColumnType::String => c"u",
        ColumnType::Bytes => c"z",
        ColumnType::I64 => c"l",
        ColumnType::F64 => c"g",
        ColumnType::Bool => c"b",
    }
}

impl ArrowSchema {
    /// A structure of the fields, as the rows of a table are one.
    pub(crate) fn of_fields(fields: &[Field]) -> Result<ArrowSchema, StreamError> {
        let columns = fields
            .iter()
            .map(|field| {
                let name = CString::new(field.name.as_str()).map_err(|_| StreamError {
                    code: EINVAL,
                    message: format!("the name of a column has a NUL in it: {:?}", field.name),
                })?;
                Ok(ArrowSchema::new(format_of(field.kind), name, NULLABLE, Vec::new()))
            })
            .collect::<Result<Vec<_>, StreamError>>()?;
        Ok(ArrowSchema::new(c"+s", CString::default(), 0, columns))
    }

    fn new(
        format: &'static CStr,
        name: CString,
        flags: i64,
        columns: Vec<ArrowSchema>,
    ) -> ArrowSchema {
        let children = columns.into_iter().map(|column| Box::into_raw(Box::new(column))).collect();
        let parts = Box::into_raw(Box::new(SchemaParts { name, children }));
        // SAFETY: `parts` was just made, and nothing else points to it.
        let owned = unsafe { &mut *parts };
        ArrowSchema {
            format: format.as_ptr(),
            name: owned.name.as_ptr(),
            metadata: null(),
            flags,
            n_children: owned.children.len() as i64,
            children: owned.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: parts.cast(),
        }
    }
}

impl Drop for ArrowSchema {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was not released, and is what `release` was made for.
            unsafe { release(self) };
        }
    }
}

// SAFETY: what it points to is its own, and not changed.
unsafe impl Send for ArrowSchema {}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller has a schema that was made by `new` and was not released, so that its parts
    // are there, and its children, which release themselves unless they were moved.
    unsafe {
        (*schema).release = None;
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        parts.children.iter().for_each(|&child| drop(Box::from_raw(child)));
    }
}

impl ArrowArray {
    fn of_batch(batch: Batch) -> ArrowArray {
        let columns = batch.columns.into_iter().map(ArrowArray::of_column).collect();
        ArrowArray::new(batch.rows, 0, None, vec![null()], columns)
    }

    fn of_column(column: Column) -> ArrowArray {
        let mut buffers: Vec<*const c_void> =
            vec![if column.nulls == 0 { null() } else { column.valid.as_ptr().cast() }];
        // The vectors are moved with the column, and with that not their memory.
        match &column.values {
            Values::Text { ends, data, .. } => {
                buffers.extend([ends.as_ptr().cast(), data.as_ptr().cast::<c_void>()]);
            }
            Values::Integers(integers) => buffers.push(integers.as_ptr().cast()),
            Values::Floats(floats) => buffers.push(floats.as_ptr().cast()),
            Values::Bits(bits) => buffers.push(bits.as_ptr().cast()),
        }
        let (rows, nulls) = (column.len, column.nulls);
        ArrowArray::new(rows, nulls, Some(column), buffers, Vec::new())
    }

    fn new(
        rows: usize,
        nulls: usize,
        column: Option<Column>,
        buffers: Vec<*const c_void>,
        columns: Vec<ArrowArray>,
    ) -> ArrowArray {
        let children = columns.into_iter().map(|column| Box::into_raw(Box::new(column))).collect();
        let parts = Box::into_raw(Box::new(ArrayParts { _column: column, buffers, children }));
        // SAFETY: `parts` was just made, and nothing else points to it.
        let owned = unsafe { &mut *parts };
        ArrowArray {
            length: rows as i64,
            null_count: nulls as i64,
            offset: 0,
            n_buffers: owned.buffers.len() as i64,
            n_children: owned.children.len() as i64,
            buffers: owned.buffers.as_mut_ptr(),
            children: owned.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: parts.cast(),
        }
    }

    /// What a stream gives at its end.
    fn released() -> ArrowArray {
        ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: None,
            private_data: null_mut(),
        }
    }
}

impl Drop for ArrowArray {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was not released, and is what `release` was made for.
            unsafe { release(self) };
        }
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the caller has an array that was made by `new` and was not released, so that its parts
    // are there, and its children, which release themselves unless they were moved.
    unsafe {
        (*array).release = None;
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        parts.children.iter().for_each(|&child| drop(Box::from_raw(child)));
    }
}

impl ArrowArrayStream {
    pub(crate) fn new(source: Box<dyn BatchSource>) -> ArrowArrayStream {
        let parts = Box::new(StreamParts { source, error: CString::default() });
        ArrowArrayStream {
            get_schema,
            get_next,
            get_last_error,
            release: Some(release_stream),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

impl Drop for ArrowArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: it was not released, and is what `release` was made for.
            unsafe { release(self) };
        }
    }
}

// SAFETY: its source may be sent, and all else that it points to is its own.
unsafe impl Send for ArrowArrayStream {}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller has a stream that was made by `new` and was not released, so that its parts
    // are there.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<StreamParts>()));
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller has a stream that was made by `new` and was not released, and room for a
    // schema, in which none is.
    unsafe {
        let parts = &mut *(*stream).private_data.cast::<StreamParts>();
        parts.answer(out, |source| ArrowSchema::of_fields(&source.schema()?))
    }
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as for `get_schema`, with room for an array.
    unsafe {
        let parts = &mut *(*stream).private_data.cast::<StreamParts>();
        parts.answer(out, |source| {
            Ok(source.next()?.map_or_else(ArrowArray::released, ArrowArray::of_batch))
        })
    }
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as for `get_schema`. The message stays until the next call.
    unsafe {
        let parts = &*(*stream).private_data.cast::<StreamParts>();
        if parts.error.is_empty() { null() } else { parts.error.as_ptr() }
    }
}

impl StreamParts {
    /// Writes what `make` makes, or keeps its error; a panic does not go on into the caller.
    ///
    /// # Safety
    /// `out` has room, and what is in it needs no drop.
    unsafe fn answer<T>(
        &mut self,
        out: *mut T,
        make: impl FnOnce(&mut dyn BatchSource) -> Result<T, StreamError>,
    ) -> c_int {
        self.error = CString::default();
        let made = catch_unwind(AssertUnwindSafe(|| make(&mut *self.source)));
        let failed = |_| Err(StreamError { code: EIO, message: "the engine panicked".into() });
        match made.unwrap_or_else(failed) {
            Ok(made) => {
                // SAFETY: as the caller says.
                unsafe { out.write(made) };
                0
            }
            Err(error) => {
                let message = error.message.replace('\0', "\u{fffd}");
                self.error = CString::new(message).unwrap_or_default();
                error.code
            }
        }
    }
}
