//! The variables that the engine keeps.

mod effects;

use riverhawk_awkio::fault::Fault;
use riverhawk_record::field_mode::FieldMode;
use riverhawk_syntax::ast::Special;
use riverhawk_value::format::Format;
use riverhawk_value::{NumberFormat, Value};
use std::sync::LazyLock;

/// CONVFMT and OFMT until the program assigns them.
static NUMBER_FORMAT: LazyLock<NumberFormat> = LazyLock::new(|| Format::parse(b"%.6g"));

/// Their values, and what follows from them.
pub struct Specials {
    values: [Value; Special::ALL.len()],
    /// OFS as text.
    pub ofs: Vec<u8>,
    /// ORS as text.
    pub ors: Vec<u8>,
    /// SUBSEP as text.
    pub subsep: Vec<u8>,
    /// CONVFMT, compiled.
    pub convfmt: NumberFormat,
    /// OFMT, compiled.
    pub ofmt: NumberFormat,
    /// NR or FNR was assigned: its value may be no count.
    pub counters_assigned: bool,
    /// NR.
    pub nr: f64,
    /// FNR.
    pub fnr: f64,
    /// Which of FS, FIELDWIDTHS and FPAT says what fields are.
    pub mode: FieldMode,
    /// IGNORECASE is true.
    pub ignore_case: bool,
    /// IGNORECASE, numbers of any precision, or a locale changes comparisons.
    pub compares_otherwise: bool,
    /// Integers are compared with all digits.
    pub compares_exactly: bool,
}

impl Default for Specials {
    fn default() -> Specials {
        let mut values = [const { Value::Uninit }; Special::ALL.len()];
        let mut set =
            |special: Special, text: &[u8]| values[special as usize] = Value::from_text(text);
        set(Special::Fs, b" ");
        set(Special::Ofs, b" ");
        set(Special::Ors, b"\n");
        set(Special::Rs, b"\n");
        set(Special::Rt, b"");
        set(Special::Subsep, b"\x1c");
        set(Special::Convfmt, b"%.6g");
        set(Special::Ofmt, b"%.6g");
        set(Special::Filename, b"");
        set(Special::Errno, b"");
        set(Special::Fieldwidths, b"");
        set(Special::Fpat, b"[^[:space:]]+");
        set(Special::Textdomain, b"messages");
        set(Special::Roundmode, b"N");
        values[Special::Prec as usize] = Value::Num(53.0);
        for special in [
            Special::Rstart,
            Special::Rlength,
            Special::Argind,
            Special::Ignorecase,
            Special::Binmode,
            Special::Lint,
        ] {
            values[special as usize] = Value::Num(0.0);
        }
        Specials {
            values,
            ofs: b" ".to_vec(),
            ors: b"\n".to_vec(),
            subsep: b"\x1c".to_vec(),
            convfmt: NUMBER_FORMAT.clone(),
            ofmt: NUMBER_FORMAT.clone(),
            counters_assigned: false,
            nr: 0.0,
            fnr: 0.0,
            mode: FieldMode::default(),
            ignore_case: false,
            compares_otherwise: false,
            compares_exactly: false,
        }
    }
}

impl Specials {
    /// A stored value.
    #[inline]
    pub fn value(&self, special: Special) -> &Value {
        &self.values[special as usize]
    }

    #[inline]
    pub fn store(&mut self, special: Special, value: Value) {
        self.values[special as usize] = value;
    }
}

#[cold]
pub fn too_many_fields(count: f64) -> Fault {
    Fault::new(format!(
        "field {count} is past the limit of {} fields",
        riverhawk_record::terminator::FIELD_LIMIT
    ))
}
