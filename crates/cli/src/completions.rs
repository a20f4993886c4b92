//! Completions for bash, zsh and fish, generated from the option table.

use crate::options::{ArgumentKind, OPTIONS, Opt};

/// For bash: goes to `bash-completion/completions/rhawk`.
pub fn bash() -> String {
    let words: Vec<String> = OPTIONS.iter().flat_map(spellings).collect();
    let mut cases = String::new();
    for opt in OPTIONS {
        let Some(argument) = opt.argument else { continue };
        let action = match argument.kind {
            ArgumentKind::File => "mapfile -t COMPREPLY < <(compgen -f -- \"$value\")".to_owned(),
            ArgumentKind::Choice(choices) => {
                format!("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$value\")", choices.join(" "))
            }
            ArgumentKind::Text | ArgumentKind::Number => ":".to_owned(),
        };
        // What may be missing is never the next word: only `--name=` has it.
        let words = if argument.optional { format!("--{}", opt.long) } else { spellings(opt).join("|") };
        let action =
            if argument.optional { format!("[[ $joined ]] && {{ {action}; return; }}") } else { action + "; return" };
        cases += &format!("        {words}) {action} ;;\n");
    }
    format!(
        "\
# Completion of rhawk for bash. Generated from the option table: do not edit.
_rhawk() {{
    local option= joined= value=${{COMP_WORDS[COMP_CWORD]}}
    COMPREPLY=()
    # Bash splits --name=value into three words.
    if [[ $value == '=' ]]; then
        option=${{COMP_WORDS[COMP_CWORD-1]}} value= joined=1
    elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == '=' ]]; then
        option=${{COMP_WORDS[COMP_CWORD-2]}} joined=1
    else
        option=${{COMP_WORDS[COMP_CWORD-1]}}
    fi
    case $option in
{cases}    esac
    if [[ $value == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$value\")
    else
        mapfile -t COMPREPLY < <(compgen -f -- \"$value\")
    fi
}}
complete -o filenames -F _rhawk rhawk
",
        words.join(" ")
    )
}

/// For zsh: goes into a directory of `fpath` as `_rhawk`.
pub fn zsh() -> String {
    let mut text = String::from(
        "#compdef rhawk\n# Completion of rhawk for zsh. Generated from the option table: do not edit.\n_arguments -s -S -A '-*' \\\n",
    );
    for opt in OPTIONS {
        let help = opt.help.replace('\'', "'\\''").replace('[', "\\[").replace(']', "\\]");
        let action = match opt.argument {
            None => String::new(),
            Some(argument) => {
                let values = match argument.kind {
                    ArgumentKind::File => "_files".to_owned(),
                    ArgumentKind::Choice(choices) => format!("({})", choices.join(" ")),
                    ArgumentKind::Text | ArgumentKind::Number => " ".to_owned(),
                };
                let colon = if argument.optional { "::" } else { ":" };
                format!("{colon}{}:{values}", argument.name)
            }
        };
        // `+` takes the value from the same word or the next, `=` likewise after an equals sign; `*` lets an option repeat.
        let (after_short, after_long) = match opt.argument {
            // A minus, and the same with an equals sign, take it from the same word alone.
            Some(argument) if argument.optional => ("-", "=-"),
            Some(_) => ("+", "="),
            None => ("", ""),
        };
        if let Some(short) = opt.short {
            text += &format!("  '*-{short}{after_short}[{help}]{action}' \\\n");
        }
        text += &format!("  '*--{}{after_long}[{help}]{action}' \\\n", opt.long);
    }
    text + "  '*:file:_files'\n"
}

/// For fish: goes to `completions/rhawk.fish`.
pub fn fish() -> String {
    let mut text = String::from("# Completion of rhawk for fish. Generated from the option table: do not edit.\n");
    for opt in OPTIONS {
        let short = opt.short.map_or_else(String::new, |short| format!(" -s {short}"));
        let argument = match opt.argument.map(|argument| argument.kind) {
            None => String::new(),
            Some(ArgumentKind::Choice(choices)) if opt.argument.is_some_and(|argument| argument.optional) => {
                format!(" -f -a '{}'", choices.join(" "))
            }
            Some(_) if opt.argument.is_some_and(|argument| argument.optional) => String::new(),
            Some(ArgumentKind::File) => " -r -F".to_owned(),
            Some(ArgumentKind::Choice(choices)) => format!(" -x -a '{}'", choices.join(" ")),
            Some(ArgumentKind::Text | ArgumentKind::Number) => " -x".to_owned(),
        };
        let help = opt.help.replace('\\', "\\\\").replace('\'', "\\'");
        text += &format!("complete -c rhawk{short} -l {}{argument} -d '{help}'\n", opt.long);
    }
    text
}

/// The ways to write an option: `-f`, `--file`.
fn spellings(opt: &Opt) -> Vec<String> {
    opt.short.map(|short| format!("-{short}")).into_iter().chain([format!("--{}", opt.long)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_in_every_completion() {
        for text in [bash(), zsh()] {
            for opt in OPTIONS {
                for spelling in spellings(opt) {
                    assert!(text.contains(&spelling), "{spelling}");
                }
            }
        }
        for opt in OPTIONS {
            assert!(fish().contains(&format!(" -l {}", opt.long)), "{}", opt.long);
        }
    }
}
