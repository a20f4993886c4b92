//! Writes the files that are generated from the option table and the manual: man pages and shell
//! completions.
//!
//! `cargo run -p riverhawk-cli --example generate`; a test fails when they differ.

use std::fs;
use std::path::Path;

use riverhawk_cli::{completions, man_page};

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, text) in [
        ("man/rhawk.1", man_page::man_page()),
        ("man/rhawk-language.5", man_page::language_page()),
        ("completions/rhawk.bash", completions::bash()),
        ("completions/_rhawk", completions::zsh()),
        ("completions/rhawk.fish", completions::fish()),
    ] {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        println!("wrote {}", path.display());
    }
    Ok(())
}
