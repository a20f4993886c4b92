//! What a thread needs beside a compiled pattern: states of lazy automata, scratch for groups.

use regex_automata::{hybrid, meta};

use crate::automata::Meta;
use crate::captures::Scratch;
use crate::lazy::Lazy;

/// Each is made when first needed; a pattern of a simple shape needs none.
#[derive(Default)]
pub(crate) struct Caches {
    lazy: Option<Box<hybrid::dfa::Cache>>,
    meta: Option<Box<meta::Cache>>,
    groups: Option<Box<Scratch>>,
}

impl Caches {
    #[inline]
    pub(crate) fn lazy(&mut self, lazy: &Lazy) -> &mut hybrid::dfa::Cache {
        self.lazy.get_or_insert_with(|| Box::new(lazy.create_cache()))
    }

    #[inline]
    pub(crate) fn meta(&mut self, meta: &Meta) -> &mut meta::Cache {
        self.meta.get_or_insert_with(|| Box::new(meta.create_cache()))
    }

    #[inline]
    pub(crate) fn groups(&mut self) -> &mut Scratch {
        self.groups.get_or_insert_default()
    }
}
