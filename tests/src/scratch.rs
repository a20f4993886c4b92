//! A directory per run.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A fresh directory below the system's temporary one; dropped with its content.
#[derive(Debug)]
pub struct Scratch(PathBuf);

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Scratch {
    pub fn new() -> std::io::Result<Scratch> {
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("riverhawk-tests-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> std::io::Result<PathBuf> {
        let path = self.0.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, content)?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
