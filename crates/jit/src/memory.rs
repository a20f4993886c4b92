//! Memory for code: one mapping per unit of code, first written, then executable, never both (W^X).

use crate::machine;
use std::io;
use std::ptr::NonNull;

/// Executable memory, unmapped on drop.
#[derive(Debug)]
pub struct CodeMemory {
    start: NonNull<u8>,
    size: usize,
}

// SAFETY: it is read-only.
unsafe impl Send for CodeMemory {}
// SAFETY: the same.
unsafe impl Sync for CodeMemory {}

impl CodeMemory {
    /// Installs code. `fix` gets it, with its final address, before it becomes executable.
    ///
    /// # Errors
    /// The system gives no memory, or does not let it be executed.
    pub fn install(code: &[u8], fix: impl FnOnce(&mut [u8], usize)) -> io::Result<CodeMemory> {
        let page = 4096;
        let size = code.len().next_multiple_of(page).max(page);
        let start = machine::map_writable(size)?;
        let memory = CodeMemory { start, size };
        // SAFETY: the mapping is writable, unshared, and long enough.
        let bytes = unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), code.len()) };
        bytes.copy_from_slice(code);
        fix(bytes, start.as_ptr().addr());
        machine::code_was_written(bytes);
        // SAFETY: the whole mapping, without references into it.
        unsafe { machine::make_executable(start, size)? };
        Ok(memory)
    }

    pub fn start(&self) -> *const u8 {
        self.start.as_ptr()
    }

    /// To the end of the page.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping made by `install`, which is readable and never written again.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.size) }
    }

    /// In bytes.
    pub fn size(&self) -> usize {
        self.size
    }
}

impl Drop for CodeMemory {
    fn drop(&mut self) {
        // SAFETY: the mapping made by `install`; its owner guarantees that nothing runs in it.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    fn installed_code_runs_and_is_not_writable() {
        // mov eax, 7; ret - the fix inserts the constant.
        #[cfg(target_arch = "x86_64")]
        let (code, at, byte) = ([0xb8, 0, 0, 0, 0, 0xc3, 0x90, 0x90], 1, 7);
        // mov w0, #7; ret - the same.
        #[cfg(target_arch = "aarch64")]
        let (code, at, byte) = ([0x00, 0x00, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6], 0, 7 << 5);
        let memory = CodeMemory::install(&code, |bytes, _| bytes[at] = byte).unwrap();
        // SAFETY: the code above.
        let f: extern "C" fn() -> i32 = unsafe { std::mem::transmute(memory.start()) };
        assert_eq!(f(), 7);
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let address = format!("{:x}-", memory.start().addr());
        let line = maps.lines().find(|line| line.starts_with(&address));
        // The system may have merged it with an adjacent mapping of the same kind.
        assert!(line.is_none_or(|line| line.contains(" r-xp ")), "{line:?}");
    }
}
