//! The environment variables of rhawk: one list for `--help=environment`, the man page and the
//! manual.

use crate::options::{OPTIONS, Opt};

/// Variables described together.
#[derive(Clone, Copy, Debug)]
pub struct Variables {
    pub names: &'static [&'static str],
    pub text: &'static str,
}

/// Without those for options of the specialiser, which are in the option table.
pub const VARIABLES: &[Variables] = &[
    Variables {
        names: &["LC_ALL", "LC_CTYPE", "LANG"],
        text: "The first that is set and not empty decides what a character is. C, POSIX and locales with a character set other than UTF-8 make \
               every byte a character, as -b does. Anything else means UTF-8, and so does no value.",
    },
    Variables {
        names: &["LC_NUMERIC", "LC_COLLATE", "LC_TIME"],
        text: "If LC_ALL is not set: the decimal point with -N and --posix, the order of strings with --posix, and the format of dates from \
               strftime.",
    },
    Variables { names: &["TZ"], text: "The time zone of strftime and mktime." },
    Variables { names: &["POSIXLY_CORRECT"], text: "When set, programs run as with --posix." },
    Variables {
        names: &["AWKPATH"],
        text: "Folders, separated by colons, in which -f, -i and @include search for files.",
    },
    Variables {
        names: &["AWKLIBPATH"],
        text: "Appears in ENVIRON, as in gawk, but has no effect: extensions are built in.",
    },
    Variables {
        names: &["GAWK_READ_TIMEOUT"],
        text: "Timeout of reads in milliseconds, if PROCINFO does not set one.",
    },
    Variables {
        names: &["GAWK_SOCK_RETRIES", "GAWK_MSEC_SLEEP"],
        text: "How often a refused connection is retried, and the milliseconds between retries.",
    },
    Variables {
        names: &["GAWK_PERSIST_FILE"],
        text: "Ignored, with a warning: there is no persistent memory.",
    },
    Variables {
        names: &["NO_COLOR"],
        text: "When set and not empty, messages are not coloured, unless --color says otherwise.",
    },
    Variables {
        names: &["CLICOLOR_FORCE", "FORCE_COLOR"],
        text: "When set, and neither empty nor 0, messages are always coloured, not only on a terminal.",
    },
    Variables {
        names: &["CLICOLOR", "TERM"],
        text: "With CLICOLOR=0, and with TERM=dumb or none, messages are not coloured on a terminal.",
    },
];

/// From the option table.
pub fn of_options() -> Vec<String> {
    OPTIONS.iter().filter_map(Opt::variable).collect()
}

pub(crate) const OF_OPTIONS: &str = "The options of the specialiser can also be set in the environment, to run a whole set of scripts with them. \
                                     Any value that is not empty sets a flag.";

pub fn text() -> String {
    let mut text = String::from("Environment variables:\n\n");
    let mut entry = |names: &str, words: &str| {
        text += &format!("  {names}\n");
        let mut line = String::from("     ");
        for word in words.split_whitespace() {
            if line.len() + 1 + word.len() > 80 {
                text += &format!("{line}\n");
                line = String::from("     ");
            }
            line += &format!(" {word}");
        }
        text += &format!("{line}\n");
    };
    for variables in VARIABLES {
        entry(&variables.names.join(", "), variables.text);
    }
    entry(&of_options().join(",\n  "), OF_OPTIONS);
    text
}
