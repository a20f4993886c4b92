//! Translated messages. There are no catalogues, so each text is its own translation, as in the
//! locale `C`.

use crate::current::CurrentRecord;
use crate::library::Kept;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_value::Value;

const DEFAULT_DIRECTORY: &[u8] = b"/usr/share/locale";

const DEFAULT_DOMAIN: &[u8] = b"messages";

const CATEGORIES: [&[u8]; 7] = [
    b"LC_ALL",
    b"LC_COLLATE",
    b"LC_CTYPE",
    b"LC_MESSAGES",
    b"LC_MONETARY",
    b"LC_NUMERIC",
    b"LC_TIME",
];

impl Kept {
    pub(super) fn bindtextdomain(
        &mut self,
        current: &CurrentRecord,
        directory: &Value,
        domain: Option<&Value>,
    ) -> Value {
        let directory = current.text_of(directory);
        let domain = domain.map_or(DEFAULT_DOMAIN.to_vec(), |domain| current.text_of(domain));
        let domains = &mut self.domains;
        if directory.is_empty() {
            return Value::from_text(domains.get(&domain).map_or(DEFAULT_DIRECTORY, |bound| bound));
        }
        let bound = Value::from_text(&directory);
        domains.insert(domain, directory);
        bound
    }
}

impl CurrentRecord {
    pub(super) fn dcgettext(&self, text: &Value, rest: &[Value]) -> Fallible<Value> {
        self.check_category("dcgettext", rest)?;
        Ok(Value::from_text(&self.text_of(text)))
    }

    pub(super) fn dcngettext(
        &self,
        one: &Value,
        many: &Value,
        count: &Value,
        rest: &[Value],
    ) -> Fallible<Value> {
        self.check_category("dcngettext", rest)?;
        let is_one = self.number(count).trunc() == 1.0;
        Ok(Value::from_text(&self.text_of(if is_one { one } else { many })))
    }

    fn check_category(&self, function: &str, rest: &[Value]) -> Fallible<()> {
        let Some(category) = rest.get(1).map(|category| self.text_of(category)) else {
            return Ok(());
        };
        if CATEGORIES.contains(&category.as_slice()) {
            return Ok(());
        }
        let category = String::from_utf8_lossy(&category);
        Err(Fault::new(format!("{function}: `{category}' is not a valid locale category")))
    }
}
