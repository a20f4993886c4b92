//! Where lines cannot be edited: they are read as they come.

use std::convert::Infallible;

pub(crate) struct LineEditor(Infallible);

impl LineEditor {
    /// There is none.
    pub(crate) fn new() -> Option<LineEditor> {
        None
    }

    pub(crate) fn read(&mut self, _: &str) -> Option<String> {
        match self.0 {}
    }

    pub(crate) fn remember(&mut self, _: &str) {
        match self.0 {}
    }

    pub(crate) fn remember_at_most(&mut self, _: usize) {
        match self.0 {}
    }

    pub(crate) fn remembered(&self) -> Vec<String> {
        match self.0 {}
    }
}
