//! A jitdump, version 1 of Linux's `tools/perf/Documentation/jitdump-specification.txt`: a header,
//! then records with monotonic times, in the machine's byte order. `perf record` must use the same
//! clock: `-k mono`.

use super::Symbol;
use super::marker::{Marker, monotonic, thread_id};
use crate::machine::ELF_MACHINE;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// `JiTD`, in the machine's byte order.
const MAGIC: u32 = 0x4A69_5444;
const VERSION: u32 = 1;
const HEADER_BYTES: u32 = 40;

const CODE_LOAD: u32 = 0;
const CODE_DEBUG_INFO: u32 = 2;
const CODE_CLOSE: u32 = 3;

/// The name is prescribed.
pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join(format!("jit-{}.dump", std::process::id()))
}

pub(super) struct JitDump {
    /// `None` after a write failed.
    file: Option<File>,
    /// `perf record` notes executable mappings, and so finds this file.
    _marker: Marker,
    next_index: u64,
}

impl JitDump {
    pub(super) fn create(path: &Path) -> Result<JitDump, (PathBuf, io::Error)> {
        let refused = |error| (path.to_owned(), error);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)
            .map_err(refused)?;
        file.write_all(&header(std::process::id(), monotonic())).map_err(refused)?;
        let marker = Marker::map(&file).map_err(refused)?;
        Ok(JitDump { file: Some(file), _marker: marker, next_index: 0 })
    }

    pub(super) fn add(&mut self, symbol: &Symbol<'_>) {
        let now = monotonic();
        let mut bytes = debug_info(symbol, now);
        bytes.extend(load(symbol, [std::process::id(), thread_id()], self.next_index, now));
        self.next_index += 1;
        self.write(&bytes);
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.file.as_mut().is_some_and(|file| file.write_all(bytes).is_err()) {
            self.file = None;
        }
    }
}

impl Drop for JitDump {
    fn drop(&mut self) {
        self.write(&record(CODE_CLOSE, monotonic(), &[]));
    }
}

fn header(pid: u32, now: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [MAGIC, VERSION, HEADER_BYTES, ELF_MACHINE, 0, pid] {
        bytes.extend(word.to_ne_bytes());
    }
    bytes.extend(now.to_ne_bytes());
    bytes.extend(0u64.to_ne_bytes());
    bytes
}

fn record(id: u32, now: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(id.to_ne_bytes());
    bytes.extend((16 + body.len() as u32).to_ne_bytes());
    bytes.extend(now.to_ne_bytes());
    bytes.extend(body);
    bytes
}

fn load(symbol: &Symbol<'_>, [pid, tid]: [u32; 2], index: u64, now: u64) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend(pid.to_ne_bytes());
    body.extend(tid.to_ne_bytes());
    for word in [symbol.address, symbol.address, symbol.code.len() as u64, index] {
        body.extend(word.to_ne_bytes());
    }
    body.extend(symbol.name.bytes().filter(|&byte| byte != 0).chain([0]));
    body.extend(symbol.code);
    record(CODE_LOAD, now, &body)
}

/// Lines precede their code; `None` when there are none.
fn debug_info(symbol: &Symbol<'_>, now: u64) -> Vec<u8> {
    if symbol.lines.is_empty() {
        return Vec::new();
    }
    let mut body = Vec::new();
    body.extend(symbol.address.to_ne_bytes());
    body.extend((symbol.lines.len() as u64).to_ne_bytes());
    for &(offset, file, line) in symbol.lines {
        body.extend((symbol.address + u64::from(offset)).to_ne_bytes());
        body.extend(line.to_ne_bytes());
        body.extend(0u32.to_ne_bytes());
        body.extend(file.bytes().filter(|&byte| byte != 0).chain([0]));
    }
    record(CODE_DEBUG_INFO, now, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap())
    }

    fn long(bytes: &[u8], at: usize) -> u64 {
        u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap())
    }

    #[test]
    fn the_header_has_forty_bytes_and_says_so() {
        let bytes = header(17, 99);
        assert_eq!((bytes.len(), word(&bytes, 0), word(&bytes, 4)), (40, MAGIC, 1));
        assert_eq!((word(&bytes, 8), word(&bytes, 12), word(&bytes, 20)), (40, ELF_MACHINE, 17));
        assert_eq!((long(&bytes, 24), long(&bytes, 32)), (99, 0));
    }

    #[test]
    fn a_function_is_its_lines_and_then_its_code() {
        let symbol = Symbol {
            name: "awk:f",
            address: 0x1000,
            code: &[0xc3, 0x90],
            lines: &[(0, "a.awk", 3), (1, "a.awk", 4)],
        };
        let bytes = debug_info(&symbol, 7);
        let entry = 8 + 4 + 4 + 6;
        assert_eq!((word(&bytes, 0), word(&bytes, 4) as usize), (CODE_DEBUG_INFO, bytes.len()));
        assert_eq!(bytes.len(), 16 + 8 + 8 + 2 * entry);
        assert_eq!((long(&bytes, 16), long(&bytes, 24)), (0x1000, 2));
        assert_eq!((long(&bytes, 32 + entry), word(&bytes, 32 + entry + 8)), (0x1001, 4));
        assert_eq!(&bytes[32 + 16..32 + entry], b"a.awk\0");

        let bytes = load(&symbol, [17, 18], 5, 7);
        assert_eq!(
            (word(&bytes, 0), word(&bytes, 4) as usize, long(&bytes, 8)),
            (CODE_LOAD, bytes.len(), 7)
        );
        assert_eq!((word(&bytes, 16), word(&bytes, 20)), (17, 18));
        assert_eq!([24, 32, 40, 48].map(|at| long(&bytes, at)), [0x1000, 0x1000, 2, 5]);
        assert_eq!(&bytes[56..], b"awk:f\0\xc3\x90");
        assert_eq!(debug_info(&Symbol { lines: &[], ..symbol }, 7), []);
    }

    #[test]
    fn a_file_is_a_header_functions_and_an_end() {
        let folder = std::env::temp_dir().join(format!("rhawk-jitdump-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let at = path(&folder);
        let mut dump = JitDump::create(&at).unwrap();
        dump.add(&Symbol { name: "awk:f", address: 0x1000, code: &[0xc3], lines: &[] });
        drop(dump);
        let bytes = std::fs::read(&at).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let mut ids = Vec::new();
        let mut next = 40;
        while next < bytes.len() {
            ids.push(word(&bytes, next));
            next += word(&bytes, next + 4) as usize;
        }
        assert_eq!((ids, next), (vec![CODE_LOAD, CODE_CLOSE], bytes.len()));
    }
}
