//! The variables that the engine keeps.

mod effects;

use riverhawk_awkio::fault::Fault;
use riverhawk_record::field_mode::FieldMode;
use riverhawk_syntax::ast::Special;
use riverhawk_value::format::Format;
use riverhawk_value::{NumberFormat, Value};
use std::sync::LazyLock;

static NUMBER_FORMAT: LazyLock<NumberFormat> = LazyLock::new(|| Format::parse(b"%.6g"));

pub struct Specials {
    values: [Value; Special::ALL.len()],
    pub ofs: Vec<u8>,
    pub ors: Vec<u8>,
    pub subsep: Vec<u8>,
    pub convfmt: NumberFormat,
    pub ofmt: NumberFormat,
    /// Whether NR or FNR was assigned, and so may not be a count.
    pub counters_assigned: bool,
    pub nr: f64,
    pub fnr: f64,
    pub mode: FieldMode,
    pub ignore_case: bool,
    /// Whether IGNORECASE, numbers of any precision or a locale change comparisons.
    pub compares_otherwise: bool,
    /// `--exact-integers`, here for arithmetic and comparisons.
    pub exact_integers: bool,
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
            exact_integers: false,
        }
    }
}

impl Specials {
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
