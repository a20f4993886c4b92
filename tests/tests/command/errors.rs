//! Each program of `docs/errors.md` gives its message, and every message of the source is on the
//! page.

use riverhawk_tests::messages::{Template, repository, templates};
use riverhawk_tests::shell::{Ran, Shell};
use std::sync::{Mutex, OnceLock};
use std::thread;

#[derive(Clone, Debug)]
struct Row {
    /// The heading of the table, such as `While it runs`.
    chapter: String,
    message: String,
    status: i32,
    script: String,
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(repository().join("docs/errors.md")).expect("the page");
    let mut chapter = String::new();
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            chapter = heading.to_owned();
        }
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> =
            line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let [_, message, status, script, _, _] = &cells[..] else { continue };
        let Ok(status) = status.parse() else { continue };
        rows.push(Row {
            chapter: chapter.clone(),
            message: code(message),
            status,
            script: code(script),
        });
    }
    rows
}

fn code(cell: &str) -> String {
    let spans = [("`` ", " ``"), ("`", "`")];
    let inside = spans.iter().find_map(|(start, end)| cell.strip_prefix(start)?.strip_suffix(end));
    inside.unwrap_or_else(|| panic!("no code: {cell}")).to_owned()
}

/// Runs a script beside the files of the page, with these options first.
fn run(script: &str, options: &str) -> Ran {
    let shell = Shell::new()
        .with_file("in", "1 2\n3 0\n")
        .with_file("before.awk", "BEGIN { print \"before\" }\n");
    shell.run(&format!("rhawk() {{ \"$RHAWK\" {options} \"$@\"; }}\n{script}"))
}

/// On a few threads: some of the programs take a second.
fn for_each<T: Sync>(items: &[T], act: impl Fn(&T) + Sync) {
    let next = Mutex::new(items.iter());
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let item = next.lock().expect("nobody panics with it").next();
                    let Some(item) = item else { break };
                    act(item);
                }
            });
        }
    });
}

/// The rows, each with what its program did without more options: two tests look at it.
fn rows_that_ran() -> &'static [(Row, Ran)] {
    static RAN: OnceLock<Vec<(Row, Ran)>> = OnceLock::new();
    RAN.get_or_init(|| {
        let ran = Mutex::new(Vec::new());
        for_each(&rows(), |row| {
            let outcome = run(&row.script, "");
            ran.lock().expect("nobody panics with it").push((row.clone(), outcome));
        });
        ran.into_inner().expect("nobody panics with it")
    })
}

#[test]
fn each_program_of_the_page_says_what_the_page_says() {
    let rows = rows_that_ran();
    assert!(rows.len() > 250, "{}", rows.len());
    for (row, ran) in rows {
        assert!(ran.stderr.contains(&row.message), "{row:?}: {ran:?}");
        assert_eq!(ran.status, row.status, "{row:?}: {ran:?}");
        assert!(!ran.stderr.contains("internal error"), "{row:?}: {ran:?}");
    }
}

#[test]
fn each_message_about_a_program_has_a_code() {
    let rows = rows();
    let rows: Vec<&Row> = rows.iter().filter(|row| row.chapter != "The command line").collect();
    let missing = Mutex::new(Vec::new());
    for_each(&rows, |row| {
        let ran = run(&row.script, "--message-format=json");
        let start = row.message.split(['"', '\\', '\'']).next().unwrap_or_default();
        let messages = ran.stderr.lines().filter(|line| line.contains("\"message\":"));
        let without =
            messages.filter(|line| line.contains(start) && !line.contains("\"code\":\"RH"));
        missing.lock().expect("nobody panics with it").extend(without.map(str::to_owned));
    });
    let missing = missing.into_inner().expect("nobody panics with it");
    assert!(missing.is_empty(), "without a code:\n{}", missing.join("\n"));
}

/// Output before an error stays; a refused program runs nothing.
#[test]
fn what_was_printed_before_an_error_stays() {
    // Not where standard output is not a file, the program is not the row's, it takes no `-i`, or
    // the message comes after the run.
    let is_fit = |row: &&Row| {
        !["/dev/full", "--posix", "; rhawk -l", "--coverage"]
            .iter()
            .any(|part| row.script.contains(part))
    };
    let rows = rows();
    let rows: Vec<&Row> = rows.iter().filter(is_fit).collect();
    for_each(&rows, |row| {
        let ran = run(&row.script, "-i before.awk");
        let runs = match row.chapter.as_str() {
            "Before it runs" | "The command line" => row.status == 0,
            _ => !row.message.contains("add -H"),
        };
        assert_eq!(ran.stdout.starts_with("before\n"), runs, "{row:?}: {ran:?}");
    });
}

/// Programs for labels, notes and help, which the page does not list.
const HINTS: &[&str] = &[
    "rhawk 'BEGIN { nosuch::nothing() }'",
    "rhawk 'function file::f(x) { } BEGIN { file::slurp(1) }'",
    "rhawk --posix 'BEGIN { @f() }'",
    r#"rhawk --posix 'BEGIN { print |& "cat" }'"#,
    "rhawk 'BEGIN { print “a” }'",
    r#"printf '{ \357\273\277 }' > prog; rhawk -f prog"#,
    "rhawk 'BEGIN { é = 1 }'",
    "rhawk '/[/ { print }'",
    "rhawk 'BEGIN { x = systime(1) }'",
    "rhawk 'BEGIN { x = toupper() }'",
    r#"rhawk '@load "ordchar"'"#,
    "rhawk 'function f(x) { x(1) }'",
    "rhawk 'BEGIN { text::grapheme() }'",
    "rhawk 'BEGIN { file::width() }'",
    r#"rhawk 'BEGIN { normalize("a") }'"#,
    "rhawk 'function count(n) { } BEGIN { coutn(1) }'",
    "rhawk --posix 'BEGIN { x = gensub(1, 2, 3) }'",
    "rhawk --traditional 'BEGIN { x = gensub(1, 2, 3) }'",
    "rhawk 'BEGIN { sleep(1) }'",
    "rhawk 'BEGIN { fil::x() }'",
    "rhawk 'BEGIN { json::x() }'",
    "rhawk 'function u::a() { } BEGIN { u::xyzzy() }'",
    "echo '{ print }' > prog.awk; rhawk prog.awk in",
    "rhawk 'BEGIN { if (x && y + z = 3) print }'",
    "rhawk 'BEGIN { print 1 > 2 ? 3 : 4 }'",
    "rhawk 'BEGIN { else print }'",
    r#"rhawk "$(printf 'BEGIN { x = 1 +\n2 }')""#,
    "rhawk 'BEGIN { x = () }'",
    "rhawk 'BEGIN { x = | y }'",
    "rhawk 'BEGIN { print 1 function f() { }'",
    "rhawk 'BEGIN { x = 1 BEGIN'",
    "rhawk 'BEGIN { for ((i, j) in a) print }'",
    "rhawk 'BEGIN { do print 1 while (0) }'",
    "rhawk 'BEGIN { if (1) print 1; elif (2) { print 2 } }'",
    "rhawk 'BEGIN { print 1 print 2 }'",
    "rhawk 'BEGIN { x = 1, y = 2 }'",
    "rhawk 'BEGIN { x = 1 : 2 }'",
    "rhawk 'BEGIN { x = 1 ) }'",
    "rhawk 'BEGIN { x = 1 ] }'",
    "rhawk 'function NF() { }'",
    "rhawk 'BEGIN { x = 1 } function x() { }'",
    "rhawk 'BEGIN { NF(1) }'",
    r#"rhawk 'BEGIN { x = "f"; f(); @x(1) } function f() { }'"#,
    "rhawk -e 'BEGIN { }' -e 'BEGIN { print 1 / 0 }'",
    r#"printf 'a,b,c,d,e,f,g,h,i,j\n1\n' | rhawk --csv -H '{ print @"zz" }'"#,
    r#"rhawk '@load "ordchr"; function ord() { }'"#,
    r#"rhawk 'BEGIN { close("nosuch"); print ERRNO > "/dev/stderr" }'"#,
    r#"rhawk -l time 'BEGIN { sleep(-1); print ERRNO > "/dev/stderr" }'"#,
    r#"rhawk 'function say(x) { print ERRNO > "/dev/stderr" } BEGIN { say(time::parse("soon")); say(time::parse("x", "%H"))
        say(time::parse("1x", "%H")); say(time::parse("2009 366", "%Y %j")); say(time::parse("2008-W53", "%G-W%V"))
        say(time::parse("Mon 2009-02-13", "%a %F")); say(time::parse("1 XQZ", "%H %Z")); say(time::make("2009")); say(time::format(1e18)) }'"#,
    r#"rhawk 'function say(x) { print ERRNO > "/dev/stderr" } BEGIN { say(time::seconds("1 fortnight")); say(time::seconds("P1M"))
        say(time::add(0, "9999 years")); say(time::add("+nan", "1s")); say(time::duration("+inf")) }'"#,
    r#"rhawk 'BEGIN { time::parse("1", "%f") }'"#,
    r#"rhawk --lint 'BEGIN { c = "cat > /dev/null; exit 3"; print |& c; close(c, "to"); close(c, "from") }'"#,
    r"printf '{ \377 }' > prog; rhawk -f prog",
    "rhawk --lint -v LINT=0 'BEGIN { }'",
    "rhawk --lint 'BEGIN { print x; x[1] }'",
    r#"rhawk "$(printf '@namespace "q"\nBEGIN { gensub(1, 2, 3) }')""#,
    r#"printf 'BEGIN { }' > s; rhawk -S '@include "s"'"#,
    r#"rhawk --memory-limit=8M 'BEGIN { s = "x"; while (1) s = s s }'"#,
    r#"head -c 30000000 /dev/zero | tr "\0" x | rhawk --memory-limit=8M '{ print length }'"#,
    r#"rhawk --memory-limit=8M 'BEGIN { $0 = "x"; while (1) $0 = $0 $0 }'"#,
    "rhawk --memory-limit=8M 'function f(n) { return f(n + 1) + 1 } BEGIN { f(1) }'",
    r#"rhawk --memory-limit=8M 'BEGIN { printf "%100000000d", 1 }'"#,
];

/// Messages that no program of the page causes, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("double the backslash", "the title of a fix"),
    ("call `{meant}`", "the title of a fix"),
    ("call `{function}`", "the title of a fix"),
    ("compare: write `==`", "the title of a fix"),
    ("load the extension {}", "the title of a fix"),
    ("there is no function `{}' to test", "takes an embedder"),
    (
        "no fix was applied: the program would not be the same; please report this",
        "takes a fix that is wrong",
    ),
    ("1 fix", "a note of --fix"),
    ("{count} fixes", "a note of --fix"),
    ("--dap: this rhawk was built without the debug adapter", "takes another build"),
    ("launch: cannot go to the folder '{folder}': {}", "an editor asks for it"),
    ("launch: {option} is no option of a debugged run", "an editor asks for it"),
    ("launch: the options run no program", "an editor asks for it"),
    ("{}: not changed: another program changed it meanwhile", "takes another program"),
    ("{name}: program text is longer than 4 GiB", "takes 4 GiB"),
    ("a record is longer than the limit of 4294967295 bytes", "takes 4 GiB"),
    ("cannot limit the time: {error}", "takes a system that refuses a timer"),
    ("cannot wait for signals: {error}", "takes a system that refuses a handler of signals"),
    ("function calls need more registers than the limit of {MAX_REGISTERS}", "takes 4 GiB"),
    ("no memory for a formatted field of {wanted} bytes", "depends on the memory that is free"),
    ("an invalid character", "the character is told as invalid, not as one too many"),
    ("{} with one argument", "names a function in the listing of bytecode"),
    ("{} is no jump", "a fault of the compiler"),
    ("{other:?} cannot be misused", "a fault of the compiler"),
    ("a callback", "names a part of the program in the listing of bytecode"),
    ("a function cannot be called from here", "a fault of the compiler"),
    ("{}: first argument is not an array", "the compiler has seen to it"),
    ("function `{name}' not defined", "the debugger"),
    ("standard error", "nobody reads it when the standard error cannot be written"),
    (
        "the name of the file or command to read is empty",
        "an empty name is told before the file is opened",
    ),
    ("file edited in place", "never written: the name of a file in memory"),
    (
        "fork: cannot tell whether other threads are at work: {reason}",
        "only a kernel without /proc",
    ),
    (
        "treating recovered value with unknown type code {code} as a string",
        "takes a damaged file of writea",
    ),
    ("cannot seek in standard input: {error}", "only a kernel that fails"),
    (
        "{function}: there is no time zone \"{name}\": this system has no tables of zones; \"+01:00\" needs none",
        "takes a system without tables of time zones",
    ),
    ("an array in an array", "why a piece is run again by the first thread, not told"),
    ("dashu-int 0.6", "an element of PROCINFO"),
    ("a scalar is used as an array", "told with the name of the variable"),
    ("attempt to use an array as a field separator", "told with the name of the variable"),
    ("\t# rhawk profile\n\n", "the beginning of a profile"),
    ("the program runs in one piece: its arithmetic is of any precision\n", "--explain"),
    ("rhawk: cannot write '{file}': {}", "takes a terminal"),
    ("{} at byte {} of the regular expression", "told with the text of the regular expression"),
    ("no separator", "the options give proper ones"),
    ("more than {MAX_SEPARATORS} separators", "the options give proper ones"),
    ("separator {index} is empty", "the options give proper ones"),
    (
        "separator {index} has {length} characters, more than {MAX_SEPARATOR_LENGTH}",
        "the options give proper ones",
    ),
    ("encoding name {name:?} is taken by {by:?}", "for those who embed the library"),
    ("encoding {encoding:?} has an empty name", "for those who embed the library"),
    ("the run has no permission for {what}", "for those who embed the library"),
    ("the run was cancelled", "for those who embed the library"),
    ("the progress callback panicked: {message}", "for those who embed the library"),
    ("a host function has this name", "for those who embed the library"),
    ("editing in place", "for those who embed the library"),
    (
        "the program was compiled with {declared} host functions; this run has {given}",
        "for those who embed the library",
    ),
    (
        "{what} needs the file system, which this run does not use",
        "for those who embed the library",
    ),
    (
        "a memory limit needs the allocator riverhawk_memory::Checked, which counts what is held",
        "for those who embed the library",
    ),
    ("%#+- '*.$hlLjztHDw", "letters of formats"),
    (
        "the system refuses another thread",
        "when a compressed file is opened and there is no thread",
    ),
    ("--lsp: this rhawk was built without the language server", "takes another build"),
    ("rhawk: error: out of memory\n", "when there is not even memory for a message"),
];

#[test]
fn each_message_of_the_source_is_said_by_a_program() {
    let hints = Mutex::new(Vec::new());
    for_each(HINTS, |script| {
        let ran = run(script, "");
        hints.lock().expect("nobody panics with it").extend(ran.stderr.lines().map(str::to_owned));
    });
    let mut said = hints.into_inner().expect("nobody panics with it");
    let of_rows = rows_that_ran().iter().flat_map(|(_, ran)| ran.stderr.lines());
    said.extend(of_rows.map(str::to_owned));
    let templates = templates();
    assert!(templates.len() > 400, "{}", templates.len());
    let is_exception =
        |template: &Template| EXCEPTIONS.iter().any(|(text, _)| *text == template.text);
    let (exceptions, others): (Vec<Template>, Vec<Template>) =
        templates.into_iter().partition(is_exception);
    let missing: Vec<String> =
        others.iter().filter(|template| !template.is_in(&said)).map(Template::to_string).collect();
    assert!(missing.is_empty(), "docs/errors.md has no program that says:\n{}", missing.join("\n"));
    for (text, reason) in EXCEPTIONS {
        let known = exceptions.iter().find(|template| template.text == *text);
        let known =
            known.unwrap_or_else(|| panic!("no such message any longer: {text} ({reason})"));
        assert!(!known.is_in(&said), "a program says it, so it is no exception: {text}");
    }
}
