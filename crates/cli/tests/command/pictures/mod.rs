//! The manual's pictures of an editor: drawn from what `--lsp` and `--dap` answer, so that they show
//! what is there. `RIVERHAWK_UPDATE=1 cargo test -p riverhawk-cli --test command pictures` writes them.

mod drawing;
mod editor;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::debug_adapter::client::Client;
use drawing::{Colour, Drawing};
use editor::Editor;

const PROGRAM: &str = "# The price in a text such as \"$3.50\".
function price(text) {
	sub(/^\\$/, \"\", text)
	return text + 0
}

/^#/ { next }
$2 ~ /^\\$/ {
	orders =+ 1
	total[$1] += price($2)
	if (total[$1] > most) most = total[$1]
}

END {
	for (name in total) print name, total[name]
	if (orders = 0) print \"nothing sold\"
}
";

const ORDERS: &str = "# orders of the day
tea $3
crème $4.25
tea $2
";

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    fs::create_dir_all(&folder).unwrap();
    // Two spellings of a path would be two files.
    let folder = folder.canonicalize().unwrap();
    fs::write(folder.join("shop.awk"), PROGRAM).unwrap();
    fs::write(folder.join("orders.txt"), ORDERS).unwrap();
    let profile = ["-f", "shop.awk", "--profile=awkprof.out", "orders.txt"];
    crate::support::run_in(&folder, &profile, "");
    folder
}

fn assert_current(name: &str, picture: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("RIVERHAWK_UPDATE").is_some() {
        fs::write(&file, picture).unwrap();
        return;
    }
    assert!(
        fs::read_to_string(file).is_ok_and(|committed| committed == picture),
        "docs/{name} does not show what the command answers; run: \
         RIVERHAWK_UPDATE=1 cargo test -p riverhawk-cli --test command pictures"
    );
}

#[test]
fn the_picture_of_an_editor_is_current() {
    let editor = Editor::open(&folder(), "shop.awk", PROGRAM);
    let mut drawing = Drawing::new("shop.awk - an editor with rhawk --lsp");
    editor.draw(&mut drawing);
    let call = PROGRAM.lines().position(|line| line.contains("price($2)")).unwrap();
    let column = PROGRAM.lines().nth(call).unwrap().find("price").unwrap();
    drawing.gap();
    drawing.line(&[(Colour::Quiet, "hover over price:")]);
    for line in editor.hover(call, column).lines().filter(|line| !line.starts_with("```")) {
        drawing.line(&[(Colour::Plain, "  "), (Colour::Plain, line)]);
    }
    assert_current("editor.svg", &drawing.finish());
}

#[test]
fn the_picture_of_a_debugger_is_current() {
    let folder = folder();
    let mut client =
        Client::launched(&folder, json!({"program": "shop.awk", "args": ["orders.txt"]}));
    client.breakpoints(&folder.join("shop.awk"), json!([{"line": 11, "condition": "NR > 2"}]));
    client.run();
    let here = client.line() as usize;
    let mut drawing = Drawing::new("shop.awk - an editor with rhawk --dap");
    for (number, line) in (1..).zip(PROGRAM.lines()).skip(6).take(6) {
        let mark = if number == here { "●▶" } else { "  " };
        let colour = if number == here { Colour::Bright } else { Colour::Plain };
        let line = line.replace('\t', "    ");
        let shown = format!("{number:>4}  ");
        drawing.line(&[(Colour::Warning, mark), (Colour::Quiet, &shown), (colour, &line)]);
    }
    drawing.gap();
    for scope in ["Record", "Globals"] {
        drawing.line(&[(Colour::Keyword, scope)]);
        let reference = client.scope(scope);
        for variable in client.variables(reference) {
            let (name, value) = variable.split_once(" = ").unwrap();
            show(&mut drawing, 1, name, value);
            if value.starts_with("array") {
                let array = client.ask("evaluate", json!({"expression": name}));
                let elements = array["variablesReference"].as_u64().unwrap();
                for element in client.variables(elements) {
                    let (key, value) = element.split_once(" = ").unwrap();
                    show(&mut drawing, 2, key, value);
                }
            }
        }
    }
    drawing.line(&[(Colour::Keyword, "Watch")]);
    for watched in ["price(\"$9.99\")", "total[\"tea\"] / NR"] {
        let value = client.evaluate(watched);
        show(&mut drawing, 1, watched, &value);
    }
    client.disconnect();
    assert_current("debugger.svg", &drawing.finish());
}

fn show(drawing: &mut Drawing, depth: usize, name: &str, value: &str) {
    let colour = if value.starts_with('"') { Colour::Text } else { Colour::Number };
    let indent = "  ".repeat(depth);
    let parts = [
        (Colour::Plain, &*indent),
        (Colour::Variable, name),
        (Colour::Plain, " = "),
        (colour, value),
    ];
    drawing.line(&parts);
}
