//! The commands: their names, and what is said of them.

use riverhawk_awkio::Reason;

/// Name, short form, help.
pub(super) const COMMANDS: &[(&str, &str, &str)] = &[
    (
        "backtrace",
        "bt",
        "backtrace [N] - print trace of all or N innermost (outermost if N < 0) frames",
    ),
    (
        "break",
        "b",
        "break [[filename:]N|function] [\"condition\"] - set breakpoint at the specified location",
    ),
    ("clear", "", "clear [[filename:]N|function] - delete breakpoints previously set"),
    (
        "commands",
        "",
        "commands [num] - starts a list of commands to be executed at a breakpoint(watchpoint) hit; ends with the line end",
    ),
    ("condition", "", "condition num [expr] - set or clear breakpoint or watchpoint condition"),
    ("continue", "c", "continue [COUNT] - continue program being debugged"),
    ("delete", "d", "delete [breakpoints] [range] - delete specified breakpoints"),
    ("disable", "", "disable [breakpoints] [range] - disable specified breakpoints"),
    ("display", "", "display [expr] - print value of expression each time the program stops"),
    ("dump", "", "dump [filename] - dump instructions to file or stdout"),
    ("down", "", "down [N] - move N frames down the stack"),
    ("end", "", "end - end a list of commands or awk statements"),
    ("enable", "e", "enable [once|del] [breakpoints] [range] - enable specified breakpoints"),
    (
        "eval",
        "",
        "eval \"statements\"|expr - run awk statements, or print an expression's value; without either, statements follow up to `end'",
    ),
    ("exit", "", "exit - (same as quit) exit debugger"),
    ("finish", "", "finish - execute until selected stack frame returns"),
    ("frame", "f", "frame [N] - select and print stack frame number N"),
    ("help", "h", "help [command] - print list of commands or explanation of command"),
    ("ignore", "", "ignore N COUNT - set ignore-count of breakpoint number N to COUNT"),
    (
        "info",
        "i",
        "info topic - source|sources|variables|functions|break|frame|args|locals|display|watch",
    ),
    ("list", "l", "list [-|+|[filename:]lineno|function|range] - list specified line(s)"),
    ("next", "n", "next [COUNT] - step program, proceeding through subroutine calls"),
    ("nexti", "ni", "nexti [COUNT] - step one statement, but proceed through subroutine calls"),
    ("option", "o", "option [name[=value]] - set or display debugger option(s)"),
    (
        "print",
        "p",
        "print expr, [expr], ... - print value of an expression; @array prints its elements",
    ),
    ("printf", "", "printf format, [arg], ... - formatted output"),
    ("quit", "q", "quit - exit debugger"),
    ("return", "", "return [value] - make selected stack frame return to its caller"),
    ("run", "r", "run - start or restart executing program"),
    (
        "save",
        "",
        "save filename - save breakpoints, watchpoints and displays as commands to a file",
    ),
    ("set", "", "set var = value - assign value to a variable"),
    ("silent", "", "silent - suspends usual message when stopped at a breakpoint/watchpoint"),
    ("source", "", "source file - execute commands from file"),
    ("step", "s", "step [COUNT] - step program until it reaches a different source line"),
    ("stepi", "si", "stepi [COUNT] - step one statement exactly"),
    ("tbreak", "t", "tbreak [[filename:]N|function] - set a temporary breakpoint"),
    ("trace", "", "trace on|off - print each statement before executing it"),
    ("undisplay", "", "undisplay [N] - remove variable(s) from automatic display list"),
    (
        "until",
        "u",
        "until [[filename:]N|function] - execute until program reaches a different line or line N within current frame",
    ),
    ("unwatch", "", "unwatch [N] - remove variable(s) from watch list"),
    ("up", "", "up [N] - move N frames up the stack"),
    ("watch", "w", "watch expr [\"condition\"] - set a watchpoint for an expression"),
    (
        "where",
        "",
        "where [N] - (same as backtrace) print trace of all or N innermost (outermost if N < 0) frames",
    ),
];

pub(super) const NOT_RUNNING: &str = "program not running";

/// By its name, its short form, or an unambiguous beginning.
pub(super) fn command(typed: &str) -> Result<&'static str, String> {
    if let Some(row) =
        COMMANDS.iter().find(|row| !typed.is_empty() && (row.0 == typed || row.1 == typed))
    {
        return Ok(row.0);
    }
    let mut meant = COMMANDS.iter().filter(|row| !typed.is_empty() && row.0.starts_with(typed));
    match (meant.next(), meant.next()) {
        (Some(row), None) => Ok(row.0),
        (Some(one), Some(other)) => {
            Err(format!("ambiguous command - `{typed}': {} or {}", one.0, other.0))
        }
        _ => Err(format!("unknown command - `{typed}', try help")),
    }
}

pub(super) fn not_written(file: &str, error: &std::io::Error) -> String {
    format!("could not open `{file}' for writing: {}", Reason(error))
}
