//! What a locale decides: the unit of characters, the order of texts, the form of numbers.

use riverhawk_builtins::collation::Collation;
use riverhawk_text::Unit;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};

/// The locale of a run.
pub(crate) struct Locale {
    /// The unit of characters.
    pub(crate) unit: Unit,
    /// The order of texts, where it is not that of their bytes.
    pub(crate) collation: Option<Collation>,
    /// What input text may be a number.
    pub(crate) numbers: NumberSyntax,
    /// What stands before a number's fraction.
    pub(crate) decimal_point: DecimalPoint,
}

impl Locale {
    pub(crate) fn new(unit: Unit) -> Locale {
        Locale {
            unit,
            collation: None,
            numbers: NumberSyntax::Decimal,
            decimal_point: DecimalPoint::Period,
        }
    }
}
