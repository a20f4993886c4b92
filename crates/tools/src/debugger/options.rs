//! The debugger's options.

use std::fs::File;

pub(super) const HELP: &str =
    "\thistory_size    - set or show the number of lines to keep in history file
\tlistsize        - set or show the list command window size
\toutfile         - set or show rhawk output file
\tprompt          - set or show debugger prompt
\tsave_history    - (un)set or show saving of command history (value=on|off)
\tsave_options    - (un)set or show saving of options (value=on|off)
\ttrace           - (un)set or show instruction tracing (value=on|off)
";

pub(super) const STANDARD_OUTPUT: &str = "/dev/stdout";

pub(super) struct Options {
    /// Lines to remember.
    pub history_size: usize,
    /// Lines to list.
    pub list_size: usize,
    pub output: Option<(String, File)>,
    pub prompt: String,
    /// Remembers lines for the next session.
    pub save_history: bool,
    pub save_options: bool,
    pub trace: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            history_size: 100,
            list_size: 15,
            output: None,
            prompt: "rhawk> ".to_owned(),
            save_history: true,
            save_options: true,
            trace: false,
        }
    }
}

impl Options {
    /// None if there is no further descriptor.
    pub fn output_file(&self) -> Option<File> {
        self.output.as_ref().and_then(|(_, file)| file.try_clone().ok())
    }

    /// In order of their names.
    pub fn all(&self) -> [(&'static str, String); 7] {
        let flag = |is_set: bool| u8::from(is_set).to_string();
        let output = self.output.as_ref().map_or(STANDARD_OUTPUT, |(name, _)| name);
        [
            ("history_size", self.history_size.to_string()),
            ("listsize", self.list_size.to_string()),
            ("outfile", format!("\"{output}\"")),
            ("prompt", format!("\"{}\"", self.prompt)),
            ("save_history", flag(self.save_history)),
            ("save_options", flag(self.save_options)),
            ("trace", flag(self.trace)),
        ]
    }
}
