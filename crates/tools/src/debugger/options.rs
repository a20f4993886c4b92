//! The debugger's options: how much is listed, where the program prints, what the next session
//! remembers.

use std::fs::File;

/// What `help option` says of each.
pub(super) const HELP: &str =
    "\thistory_size    - set or show the number of lines to keep in history file
\tlistsize        - set or show the list command window size
\toutfile         - set or show rhawk output file
\tprompt          - set or show debugger prompt
\tsave_history    - (un)set or show saving of command history (value=on|off)
\tsave_options    - (un)set or show saving of options (value=on|off)
\ttrace           - (un)set or show instruction tracing (value=on|off)
";

/// Where the program prints unless it is told otherwise.
pub(super) const STANDARD_OUTPUT: &str = "/dev/stdout";

pub(super) struct Options {
    /// How many lines typed are remembered.
    pub history_size: usize,
    /// How many lines are listed.
    pub list_size: usize,
    /// Where the program prints, if not on the standard output.
    pub output: Option<(String, File)>,
    pub prompt: String,
    /// Lines typed are remembered for the next session too.
    pub save_history: bool,
    pub save_options: bool,
    /// Every statement is shown before it runs.
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
    /// The file that the program prints into; none if another descriptor for it cannot be had
    /// either.
    pub fn output_file(&self) -> Option<File> {
        self.output.as_ref().and_then(|(_, file)| file.try_clone().ok())
    }

    /// Every option with its value, as `option` shows it, in order of their names.
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
