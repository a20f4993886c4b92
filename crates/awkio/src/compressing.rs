//! Compression between a sink's buffer and its device.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use riverhawk_compress::{Codec, Compressor};

pub(super) struct Compressing {
    /// `None` once the end has been written.
    compressor: Option<Compressor<Shared>>,
    out: Shared,
}

/// Compressed bytes not yet taken. A compressor owns its writer, so the bytes are shared with it.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Compressing {
    pub(super) fn new(codec: Codec) -> io::Result<Self> {
        let out = Shared::default();
        Ok(Compressing { compressor: Some(Compressor::new(codec, out.clone())?), out })
    }

    /// `last` ends the stream.
    pub(super) fn compress(&mut self, bytes: &[u8], last: bool) -> io::Result<Vec<u8>> {
        if let Some(compressor) = &mut self.compressor {
            compressor.write_all(bytes)?;
        }
        if let Some(compressor) = self.compressor.take_if(|_| last) {
            compressor.finish()?;
        }
        Ok(std::mem::take(&mut *self.out.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}
