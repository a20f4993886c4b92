//! What a locale decides: the unit of characters and the order of texts.

use riverhawk_builtins::collation::Collation;
use riverhawk_text::Unit;

/// The locale of a run.
pub(crate) struct Locale {
    /// The unit of characters.
    pub(crate) unit: Unit,
    /// The order of texts, where it is not that of their bytes.
    pub(crate) collation: Option<Collation>,
}

impl Locale {
    pub(crate) fn new(unit: Unit) -> Locale {
        Locale { unit, collation: None }
    }
}
