//! `--lsp`: what the language server asks the command for.

#[cfg(not(feature = "lsp"))]
pub(crate) fn serve() -> Result<(), String> {
    Err("--lsp: this rhawk was built without the language server".to_owned())
}

/// Serves an editor over standard input and output.
#[cfg(feature = "lsp")]
pub(crate) fn serve() -> Result<(), String> {
    riverhawk_lsp::serve_stdio(&served::Manual::new()).map_err(|error| error.to_string())
}

#[cfg(feature = "lsp")]
mod served {
    use std::ffi::OsStr;
    use std::path::PathBuf;

    use riverhawk::engine::IncludePath;
    use riverhawk_lsp::Surroundings;

    use crate::{VERSION, manual};

    pub(super) struct Manual {
        include_path: IncludePath,
    }

    impl Manual {
        pub(super) fn new() -> Manual {
            let path = std::env::var_os("AWKPATH").filter(|path| !path.is_empty());
            Manual {
                include_path: path.map_or_else(IncludePath::default, |it| IncludePath::new(&it)),
            }
        }
    }

    impl Surroundings for Manual {
        fn manual(&self, name: &str) -> Option<String> {
            manual::in_markdown(name)
        }

        fn option(&self, name: &str) -> Option<String> {
            manual::option(name)
        }

        fn keys(&self, array: &str) -> Vec<(String, String)> {
            manual::keys(array)
        }

        fn find_program_file(&self, name: &OsStr) -> Option<PathBuf> {
            self.include_path.find(name)
        }

        fn version(&self) -> &str {
            VERSION
        }
    }
}

#[cfg(all(test, feature = "lsp"))]
mod tests {
    use riverhawk_lsp::Surroundings;

    use super::served::Manual;

    #[test]
    fn the_manual_tells_of_everything_that_the_server_knows() {
        let manual = Manual::new();
        for name in riverhawk_lsp::described() {
            let text = manual.manual(name).unwrap_or_default();
            assert!(text.contains(name), "{name}: {text}");
            assert!(!text.contains("](") && !text.contains("--help="), "{name}: {text}");
        }
        assert!(manual.manual("getline").is_some());
    }

    #[test]
    fn the_manual_tells_of_options() {
        let option = |name: &str| Manual::new().option(name).unwrap_or_default();
        assert!(option("--csv").contains("CSV"), "{}", option("--csv"));
        assert!(option("-F").contains("FS"), "{}", option("-F"));
        assert_eq!(option("csv") + &option("--nosuch"), "");
    }

    #[test]
    fn the_keys_of_procinfo_are_those_of_the_manual() {
        let keys = Manual::new().keys("PROCINFO");
        for key in ["sorted_in", "argv", "pid", "NONFATAL"] {
            assert!(keys.iter().any(|(other, about)| other == key && !about.is_empty()), "{key}");
        }
    }
}
