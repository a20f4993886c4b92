//! Files in memory.

use crate::border::{guarded, rh_text};
use crate::value::rh_value;
use riverhawk::Value;
use riverhawk::filesystem::MemoryFiles;

/// Files in memory, by name. Several threads may use them at the same time. Freed with
/// `rh_memory_files_free`, at any time: runs keep what they need.
pub struct rh_memory_files(pub(crate) MemoryFiles);

/// No files yet. Freed with `rh_memory_files_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_memory_files_new() -> Option<Box<rh_memory_files>> {
    guarded(None, || Some(Box::new(rh_memory_files(MemoryFiles::new()))))
}

/// Puts a copy of `text` there, in place of a file of the same name.
#[unsafe(no_mangle)]
pub extern "C" fn rh_memory_files_insert(
    files: Option<&rh_memory_files>,
    name: rh_text<'_>,
    text: rh_text<'_>,
) {
    guarded((), || {
        if let Some(files) = files {
            files.0.insert(name.bytes(), text.bytes());
        }
    });
}

/// A copy of what a file holds, to be freed with `rh_value_free`; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn rh_memory_files_get(
    files: Option<&rh_memory_files>,
    name: rh_text<'_>,
) -> Option<Box<rh_value>> {
    guarded(None, || Some(Box::new(rh_value(Value::Text(files?.0.get(name.bytes())?)))))
}

/// Removes a file; false if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn rh_memory_files_remove(
    files: Option<&rh_memory_files>,
    name: rh_text<'_>,
) -> bool {
    guarded(false, || files.is_some_and(|files| files.0.remove(name.bytes()).is_some()))
}

/// Frees the handle; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_memory_files_free(files: Option<Box<rh_memory_files>>) {
    guarded((), || drop(files));
}
