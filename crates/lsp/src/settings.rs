//! What a person sets in the editor.

use std::path::PathBuf;

use riverhawk_syntax::lint::Lint;
use serde_json::Value;

/// The settings, by default those of `--lint=no-ext`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    pub lint: Lint,
    /// A file whose header names columns.
    pub sample: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { lint: Lint { suspicious: true, ..Lint::default() }, sample: None }
    }
}

impl Settings {
    /// From `{"lint": ["suspicious", "extensions", "portable", "old"], "sample": "data.csv"}`, alone
    /// or under `rhawk`. What is not there keeps its default.
    pub(crate) fn of(value: &Value) -> Settings {
        let value = value.get("rhawk").unwrap_or(value);
        let mut settings = Settings::default();
        if let Some(rules) = value.get("lint").and_then(Value::as_array) {
            let has = |rule: &str| rules.iter().any(|named| named == rule);
            settings.lint = Lint {
                suspicious: has("suspicious"),
                extensions: has("extensions"),
                portable: has("portable"),
                old: has("old"),
            };
        }
        settings.sample = value.get("sample").and_then(Value::as_str).map(PathBuf::from);
        settings
    }
}
