//! The unit of characters and the order of texts.

use riverhawk_builtins::collation::Collation;
use riverhawk_text::Unit;

pub(crate) struct Locale {
    pub(crate) unit: Unit,
    /// `None` orders texts by their bytes.
    pub(crate) collation: Option<Collation>,
}

impl Locale {
    pub(crate) fn new(unit: Unit) -> Locale {
        Locale { unit, collation: None }
    }
}
