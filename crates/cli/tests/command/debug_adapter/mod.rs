//! The debug adapter, by a scripted client.

pub mod client;

use std::fs;
#[cfg(unix)]
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use client::Client;
use serde_json::json;

const PROGRAM: &str = "@include \"shop.awk\"
BEGIN {
	x = 1
	for (i = 1; i <= 3; i++)
		list[i] = i * i
	deep[\"a\"][\"b\"] = 7
	print \"begin\"
}
{ total += price($2) }
END {
	print \"total\", total
}
";

const INCLUDED: &str = "function price(text,    number) {
	sub(/^\\$/, \"\", text)
	number = text + 0
	return number
}
";

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debug_adapter").join(test);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("p.awk"), PROGRAM).unwrap();
    fs::write(folder.join("shop.awk"), INCLUDED).unwrap();
    fs::write(folder.join("in"), "tea $3\nmilk $4\n").unwrap();
    folder
}

fn launched(folder: &Path) -> Client {
    Client::launched(folder, json!({"program": "p.awk", "args": ["in"]}))
}

#[test]
fn a_program_runs_to_its_end_and_its_output_is_events() {
    let folder = folder("runs");
    let mut client = launched(&folder);
    client.ask("configurationDone", json!({}));
    assert_eq!(client.end("stdout"), ("begin\ntotal 7\n".to_owned(), 0));
    assert_eq!(client.disconnect(), (Some(0), String::new()));
}

#[test]
fn breakpoints_of_lines_stop_in_each_file() {
    let folder = folder("lines");
    let mut client = launched(&folder);
    let set = client.breakpoints(&folder.join("shop.awk"), json!([{"line": 3}]));
    assert_eq!(set[0]["verified"], true, "{set}");
    let (main, shop) = (folder.join("p.awk"), folder.join("shop.awk"));
    // A line on which nothing begins means the next that does.
    let set = client.breakpoints(&main, json!([{"line": 2}, {"line": 99}, {"line": 11}]));
    assert_eq!((&set[0]["line"], &set[2]["line"]), (&json!(3), &json!(11)));
    assert_eq!(set[1]["verified"], false);
    assert_eq!(set[1]["message"], "nothing runs at or after this line");
    let stopped = client.run();
    assert_eq!(stopped["reason"], "breakpoint");
    assert_eq!(stopped["hitBreakpointIds"], json!([set[0]["id"]]));
    assert_eq!(client.stack(), ["3 BEGIN"]);
    assert_eq!(client.go("continue")["reason"], "breakpoint");
    assert_eq!(client.stack(), ["3 price(text, number)", "9 Rule"]);
    let stack = client.ask("stackTrace", json!({"threadId": 1}));
    assert_eq!(stack["stackFrames"][0]["source"]["path"], json!(shop));
    assert_eq!(stack["stackFrames"][1]["source"]["path"], json!(main));
    // The one after the other replaces what was set before.
    client.breakpoints(&shop, json!([]));
    client.go("continue");
    assert_eq!(client.stack(), ["11 END"]);
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.end("stdout").0, "begin\ntotal 7\n");
    let set = client.breakpoints(&folder.join("in"), json!([{"line": 1}]));
    assert_eq!(set[0]["message"], "this file is not a part of the program");
}

#[test]
fn conditions_hit_counts_and_log_points() {
    let folder = folder("conditions");
    let main = folder.join("p.awk");
    let stops = |breakpoint: serde_json::Value| {
        let mut client = launched(&folder);
        let set = client.breakpoints(&main, json!([breakpoint]));
        assert_eq!(set[0]["verified"], true, "{set}");
        client.run();
        let i = client.evaluate("i");
        client.disconnect();
        i
    };
    assert_eq!(stops(json!({"line": 5, "condition": "i == 2"})), "2");
    assert_eq!(stops(json!({"line": 5, "hitCondition": "3"})), "3");
    assert_eq!(stops(json!({"line": 5, "condition": "i > 1", "hitCondition": "== 2"})), "3");

    let mut client = launched(&folder);
    let set = client.breakpoints(
        &main,
        json!([
            {"line": 5, "logMessage": "i is {i}, {list[i - 1]} \\{before}"},
            {"line": 6, "condition": "no such"},
            {"line": 7, "condition": "x +"},
            {"line": 7, "hitCondition": "often"},
            {"line": 7, "logMessage": "{x"},
        ]),
    );
    assert_eq!(set[0]["verified"], true, "{set}");
    let message = |at: usize| set[at]["message"].as_str().unwrap_or_default().to_owned();
    assert!(message(2).starts_with("`x +': "), "{set}");
    assert!(message(3).contains("no count of hits"), "{set}");
    assert!(message(4).contains("no closing brace"), "{set}");
    // A condition that cannot be evaluated stops, with the reason.
    client.run();
    assert_eq!(client.line(), 6);
    let shown = client.shown("console");
    assert!(
        shown.starts_with("i is 1,  {before}\ni is 2, 1 {before}\ni is 3, 4 {before}\n"),
        "{shown}"
    );
    assert!(shown.contains("condition `no such': "), "{shown}");
    client.disconnect();
}

#[test]
fn functions_have_breakpoints() {
    let folder = folder("functions");
    let mut client = launched(&folder);
    let wanted = json!({"breakpoints": [{"name": "price", "hitCondition": "2"}, {"name": "none"}]});
    let set = client.ask("setFunctionBreakpoints", wanted)["breakpoints"].clone();
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(2)), "{set}");
    assert_eq!(set[1]["message"], "no function `none' with statements");
    client.run();
    assert_eq!(client.stack(), ["2 price(text, number)", "9 Rule"]);
    assert_eq!(client.evaluate("NR \" \" text"), "\"2 $4\"");
    client.ask("setFunctionBreakpoints", json!({}));
    client.ask("continue", json!({}));
    client.end("stdout");
}

#[test]
fn steps_go_by_lines_into_and_out_of_functions() {
    let folder = folder("steps");
    let launch = json!({"program": "p.awk", "args": ["in"], "stopOnEntry": true});
    let mut client = Client::launched(&folder, launch);
    assert_eq!(client.run()["reason"], "entry");
    assert_eq!(client.line(), 3);
    assert_eq!(client.go("next")["reason"], "step");
    // The loop's own line counts each turn.
    let lines: Vec<u64> = (0..9)
        .map(|_| {
            let line = client.line();
            client.go("next");
            line
        })
        .collect();
    assert_eq!(lines, [4, 5, 4, 5, 4, 5, 4, 6, 7]);
    assert_eq!(client.stack(), ["9 Rule"]);
    client.go("stepIn");
    assert_eq!(client.stack(), ["2 price(text, number)", "9 Rule"]);
    client.go("next");
    assert_eq!(client.line(), 3);
    client.go("stepOut");
    assert_eq!(client.stack(), ["9 Rule"]);
    // The rule is one line: the next stop is at the next record.
    client.go("next");
    assert_eq!((client.line(), client.evaluate("NR")), (9, "2".to_owned()));
    client.go("next");
    assert_eq!(client.line(), 11);
    client.ask("stepOut", json!({}));
    assert_eq!(client.end("stdout").1, 0);
}

#[test]
fn a_line_of_several_statements_is_stepped_through_by_statement() {
    let folder = folder("statements");
    let launch = json!({"text": "BEGIN { a = 1; b = 2; c = 3 }", "stopOnEntry": true});
    let mut client = Client::launched(&folder, launch);
    client.run();
    let column = |client: &mut Client| {
        client.ask("stackTrace", json!({}))["stackFrames"][0]["column"].as_u64().unwrap()
    };
    assert_eq!(column(&mut client), 9);
    client.ask("next", json!({"threadId": 1, "granularity": "statement"}));
    client.event("stopped");
    assert_eq!(column(&mut client), 16);
    client.ask("stepIn", json!({"threadId": 1, "granularity": "instruction"}));
    client.event("stopped");
    assert_eq!((column(&mut client), client.evaluate("b")), (23, "2".to_owned()));
    client.disconnect();
}

#[test]
fn variables_are_in_scopes_and_arrays_unfold() {
    let folder = folder("variables");
    let mut client = launched(&folder);
    client.breakpoints(&folder.join("shop.awk"), json!([{"line": 4}]));
    client.run();
    let locals = client.scope("Locals");
    assert_eq!(client.variables(locals), ["text = \"3\"", "number = 3"]);
    let record = client.scope("Record");
    assert_eq!(client.variables(record), ["$0 = \"tea $3\"", "$1 = \"tea\"", "$2 = \"$3\""]);
    let globals = client.scope("Globals");
    assert_eq!(
        client.variables(globals),
        [
            "deep = array, 1 element",
            "i = 4",
            "list = array, 3 elements",
            "total = untyped variable",
            "x = 1",
        ]
    );
    let specials = client.scope("Special variables");
    let specials = client.variables(specials);
    assert!(specials.contains(&"NR = 1".to_owned()), "{specials:?}");
    assert!(specials.contains(&"FS = \" \"".to_owned()), "{specials:?}");

    let all = client.ask("variables", json!({"variablesReference": globals}));
    let array = |name: &str| {
        let found = all["variables"].as_array().unwrap().iter().find(|it| it["name"] == name);
        found.unwrap().clone()
    };
    let list = array("list");
    assert_eq!(list["indexedVariables"], 3);
    let list = list["variablesReference"].as_u64().unwrap();
    assert_eq!(client.variables(list), ["1 = 1", "2 = 4", "3 = 9"]);
    let page = json!({"variablesReference": list, "filter": "indexed", "start": 1, "count": 1});
    assert_eq!(client.some_variables(page), ["2 = 4"]);
    let beyond = json!({"variablesReference": list, "start": 3, "count": 5});
    assert_eq!(client.some_variables(beyond), [""; 0]);
    let named = json!({"variablesReference": list, "filter": "named"});
    assert_eq!(client.some_variables(named), [""; 0]);
    let outer = array("deep")["variablesReference"].as_u64().unwrap();
    let inner = client.ask("variables", json!({"variablesReference": outer}));
    let inner = &inner["variables"][0];
    assert_eq!(inner["evaluateName"], "deep[\"a\"]");
    let element = inner["variablesReference"].as_u64().unwrap();
    let element = client.ask("variables", json!({"variablesReference": element}));
    let element = &element["variables"][0];
    assert_eq!((&element["name"], &element["value"]), (&json!("b"), &json!("7")));
    assert_eq!(client.evaluate(element["evaluateName"].as_str().unwrap()), "7");

    assert_eq!(client.refused("scopes", json!({"frameId": 9})), "there is no such frame");
    let gone = client.refused("variables", json!({"variablesReference": 999}));
    assert_eq!(gone, "these variables are gone: the program has run on");
    client.go("continue");
    let gone = client.refused("variables", json!({"variablesReference": list}));
    assert_eq!(gone, "these variables are gone: the program has run on");
    client.disconnect();
}

#[test]
fn texts_are_shown_as_they_are_written() {
    let folder = folder("texts");
    let text = "BEGIN { a[\"né\"] = \"日本 \\\"é\\\"\\n\\377\"; a[\"\\034\"] = @/é+/\nprint }";
    let mut client = Client::launched(&folder, json!({"text": text, "stopOnEntry": true}));
    client.run();
    client.go("next");
    let array = client.ask("evaluate", json!({"expression": "a"}));
    assert_eq!(array["result"], "array, 2 elements");
    let elements = client.variables(array["variablesReference"].as_u64().unwrap());
    assert_eq!(elements, ["\\034 = @/é+/", r#"né = "日本 \"é\"\n\377""#]);
    assert_eq!(client.evaluate("a[\"né\"] \"!\""), r#""日本 \"é\"\n\377!""#);
    client.disconnect();
}

/// What an editor asks before it watches a variable of a scope.
fn data(client: &mut Client, scope: &str, name: &str) -> serde_json::Value {
    let scope = client.scope(scope);
    client.ask("dataBreakpointInfo", json!({"variablesReference": scope, "name": name}))
}

fn watch(client: &mut Client, breakpoints: &serde_json::Value) -> serde_json::Value {
    client.ask("setDataBreakpoints", json!({"breakpoints": breakpoints}))["breakpoints"].clone()
}

#[test]
fn a_run_stops_where_watched_data_has_changed() {
    let folder = folder("data");
    let text = "BEGIN {
	t[\"é\"] = 1
	n = 5
	t[\"é\"]++
	n = 5
	t[\"b\"]
	n++
}";
    let launch = json!({"text": text, "stopOnEntry": true, "input": "x y\nz\n"});
    let mut client = Client::launched(&folder, launch);
    assert_eq!(watch(&mut client, &json!([])), json!([]));
    client.run();
    let total = data(&mut client, "Globals", "t");
    assert_eq!(total["description"], "t");
    let element = client.ask("dataBreakpointInfo", json!({"name": "t[\"é\"]", "frameId": 1}));
    let n = data(&mut client, "Globals", "n")["dataId"].clone();
    assert_eq!(n, data(&mut client, "Globals", "n")["dataId"]);
    let nothing = client.ask("dataBreakpointInfo", json!({"name": "t[", "frameId": 1}));
    assert!(nothing["dataId"].is_null() && nothing["description"].is_string(), "{nothing}");
    let asked = json!([{"dataId": element["dataId"]}, {"dataId": n, "accessType": "write"}]);
    let set = watch(&mut client, &asked);
    assert_eq!((&set[0]["verified"], &set[1]["verified"]), (&json!(true), &json!(true)), "{set}");
    for (line, text, of) in [
        (3, "t[\"é\"]: element not in array -> 1", 0),
        (4, "n: untyped variable -> 5", 1),
        (5, "t[\"é\"]: 1 -> 2", 0),
    ] {
        let stopped = client.go("continue");
        assert_eq!(
            (&stopped["reason"], &stopped["text"]),
            (&json!("data breakpoint"), &json!(text))
        );
        assert_eq!(stopped["hitBreakpointIds"], json!([set[of]["id"]]));
        assert_eq!(client.stack(), [format!("{line} BEGIN")]);
    }
    // The user's own change is none, nor is one whose condition is false.
    client.evaluate("n = 7");
    watch(&mut client, &json!([{"dataId": n, "condition": "n > 7"}, {"dataId": total["dataId"]}]));
    assert_eq!(client.go("continue")["text"], "t: array, 1 element -> array, 2 elements");
    client.disconnect();
}

#[test]
fn data_is_watched_by_conditions_and_counts_and_goes_with_its_frame() {
    let folder = folder("watched");
    let text = "function f(n,    i, list) {
	list[1] = n
	for (i = 1; i <= n; i++) list[1] += same(i)
	return list[1]
}
function same(n,    list) { list[1] = 99; return n }
{ total += f($1) }
END { print total }";
    let launch = json!({"text": text, "input": "2\n4\n1\n"});
    let mut client = Client::launched(&folder, launch);
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "f"}]}));
    client.run();
    client.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    client.go("next");
    let locals = client.scope("Locals");
    let list = client.ask("variables", json!({"variablesReference": locals, "filter": "named"}));
    let list =
        list["variables"].as_array().unwrap().iter().find(|it| it["name"] == "list").unwrap();
    let list = list["variablesReference"].clone();
    let first = client.ask("dataBreakpointInfo", json!({"variablesReference": list, "name": "1"}));
    assert_eq!(first["description"], "list[\"1\"]");
    let total = data(&mut client, "Globals", "total");
    let other = data(&mut client, "Record", "$1");
    let set = watch(
        &mut client,
        &json!([
            {"dataId": first["dataId"], "hitCondition": "2"},
            {"dataId": total["dataId"], "condition": "total > 10"},
            {"dataId": other["dataId"], "condition": "$1 == 1"},
            {"dataId": first["dataId"], "accessType": "read"},
            {"dataId": "nonsense"},
            {"dataId": total["dataId"], "condition": "1 +"},
        ]),
    );
    let said: Vec<_> = (3..6).map(|at| set[at]["message"].as_str().unwrap_or_default()).collect();
    assert_eq!(said[..2], ["only changes can be watched", "`nonsense' names no data"]);
    assert!(said[2].starts_with("`1 +': "), "{said:?}");
    assert_eq!(client.go("continue")["text"], "list[\"1\"]: 3 -> 5", "the second change");
    // Other calls at the same depth have another `list`.
    let stopped = client.go("continue");
    // The next statement is that of the next record.
    assert_eq!(stopped["text"], "total: 5 -> 19\n$1: \"4\" -> \"1\"");
    assert_eq!(stopped["hitBreakpointIds"], json!([set[1]["id"], set[2]["id"]]));
    assert_eq!(client.event("breakpoint")["breakpoint"]["id"], set[0]["id"]);
    client.disconnect();
}

#[test]
fn the_frame_of_a_caller_has_its_own_variables() {
    let folder = folder("frames");
    let text = "function f(n) { if (n) f(n - 1)\n; return n }\nBEGIN { f(3) }";
    let mut client = Client::launched(&folder, json!({"text": text}));
    client.ask(
        "setFunctionBreakpoints",
        json!({"breakpoints": [{"name": "f", "condition": "n == 0"}]}),
    );
    client.run();
    assert_eq!(client.stack(), ["1 f(n)", "1 f(n)", "1 f(n)", "1 f(n)", "3 BEGIN"]);
    let page = client.ask("stackTrace", json!({"startFrame": 2, "levels": 2}));
    assert_eq!(page["totalFrames"], 5);
    let ids: Vec<_> = page["stackFrames"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, [&json!(3), &json!(4)]);
    let n = |client: &mut Client, frame: u64| {
        client.ask("evaluate", json!({"expression": "n", "frameId": frame}))["result"].clone()
    };
    assert_eq!((n(&mut client, 1), n(&mut client, 4)), (json!("0"), json!("3")));
    let error = client.refused("evaluate", json!({"expression": "n", "frameId": 5}));
    assert_eq!(error, "no symbol `n' in current context");
    let scopes = client.ask("scopes", json!({"frameId": 3}));
    let locals = scopes["scopes"][0]["variablesReference"].clone();
    let set = json!({"variablesReference": locals, "name": "n", "value": "40 + 2"});
    assert_eq!(client.ask("setVariable", set)["value"], "42");
    assert_eq!((n(&mut client, 2), n(&mut client, 3)), (json!("1"), json!("42")));
    client.disconnect();
}

#[test]
fn values_change_and_are_evaluated() {
    let folder = folder("values");
    let mut client = launched(&folder);
    client.breakpoints(&folder.join("p.awk"), json!([{"line": 9}]));
    client.run();
    let globals = client.scope("Globals");
    let set = |client: &mut Client, reference: u64, name: &str, value: &str| {
        let asked = json!({"variablesReference": reference, "name": name, "value": value});
        client.ask("setVariable", asked)["value"].as_str().unwrap().to_owned()
    };
    assert_eq!(set(&mut client, globals, "total", "100"), "100");
    let record = client.scope("Record");
    assert_eq!(set(&mut client, record, "$2", "\"$5\""), "\"$5\"");
    assert_eq!(client.evaluate("$0"), "\"tea $5\"");
    let specials = client.scope("Special variables");
    assert_eq!(set(&mut client, specials, "OFS", "\"-\""), "\"-\"");
    let list = client.ask("evaluate", json!({"expression": "list"}));
    assert_eq!(
        (&list["result"], &list["indexedVariables"]),
        (&json!("array, 3 elements"), &json!(3))
    );
    let list = list["variablesReference"].as_u64().unwrap();
    assert_eq!(set(&mut client, list, "2", "list[3] \"!\""), "\"9!\"");
    assert_eq!(client.evaluate("list[2]"), "\"9!\"");
    assert_eq!(client.evaluate("list[7]"), "element not in array");
    assert_eq!(client.evaluate("length(list) price(\"$2\")"), "\"32\"");
    let unset = |client: &mut Client, name: &str, value: &str| {
        let asked = json!({"variablesReference": globals, "name": name, "value": value});
        client.refused("setVariable", asked)
    };
    assert_eq!(unset(&mut client, "none", "1"), "there is no variable `none' here");
    assert_eq!(unset(&mut client, "list", "1"), "`list' is an array");
    assert_eq!(unset(&mut client, "x", "list"), "`list' is an array, which cannot be assigned");
    assert!(!unset(&mut client, "x", "1 +").is_empty());
    let asked = json!({"expression": "list[1]", "value": "x ? 5 : 6"});
    assert_eq!(client.ask("setExpression", asked)["value"], "5");
    assert_eq!(client.evaluate("list[1]"), "5");
    // At the prompt there are statements, too.
    let repl = |text: &str| json!({"expression": text, "context": "repl"});
    assert_eq!(client.ask("evaluate", repl("x = 8"))["result"], "8");
    client.ask("evaluate", repl("print \"x is\", x"));
    assert_eq!(client.shown("stdout"), "begin\nx is-8\n");
    assert!(!client.refused("evaluate", repl("print (")).is_empty());
    client.breakpoints(&folder.join("p.awk"), json!([]));
    client.ask("continue", json!({}));
    assert_eq!(client.end("stdout").0, "total-109\n");
}

#[test]
fn a_runtime_error_stops_before_the_program_ends() {
    let folder = folder("errors");
    let text = "function half(n) {\n\treturn 1 / n\n}\nBEGIN { print half(0) }";
    fs::write(folder.join("bad.awk"), text).unwrap();
    let mut client = Client::launched(&folder, json!({"program": "bad.awk"}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["error"]}));
    let stopped = client.run();
    assert_eq!(
        (&stopped["reason"], &stopped["text"]),
        (&json!("exception"), &json!("division by zero in `/'"))
    );
    assert_eq!(client.stack(), ["2 half(n)", "4 BEGIN"]);
    assert_eq!(client.evaluate("n"), "0");
    let info = client.ask("exceptionInfo", json!({"threadId": 1}));
    assert_eq!(info["description"], stopped["text"]);
    client.ask("continue", json!({}));
    let (errors, status) = client.end("stderr");
    assert_eq!(status, 2);
    assert!(errors.starts_with("bad.awk:2:9: error: division by zero in `/'\n"), "{errors}");

    let mut client = Client::launched(&folder, json!({"program": "bad.awk"}));
    client.ask("setExceptionBreakpoints", json!({"filters": []}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.end("stdout"), (String::new(), 2));
    let refused = client.refused("setExceptionBreakpoints", json!({"filters": ["all"]}));
    assert_eq!(refused, "there is no filter `all': only `error'");
}

#[test]
fn a_launch_has_variables_input_environment_and_a_folder() {
    let folder = folder("launch");
    let run = |launch: serde_json::Value| {
        let mut client = Client::launched(folder.parent().unwrap(), launch);
        client.ask("configurationDone", json!({}));
        client.event("terminated");
        client.shown("stdout") + &client.shown("stderr")
    };
    let cwd = folder.to_str().unwrap();
    let text = "{ print n, $2, ENVIRON[\"SHOP\"], length(ENVIRON[\"LC_ALL\"]) }";
    let launch = json!({
        "cwd": cwd, "text": text, "input": "a,b\n", "variables": {"n": 4, "FS": ","},
        "env": {"SHOP": "tea", "LC_ALL": null},
    });
    assert_eq!(run(launch), "4 b tea 0\n");
    let launch = json!({"cwd": cwd, "text": "END { print NR, ARGV[1] }", "stdin": "in"});
    assert_eq!(run(launch), "2 \n");
    let launch =
        json!({"cwd": cwd, "program": ["shop.awk", "q.awk"], "options": ["--csv"], "args": ["in"]});
    fs::write(folder.join("q.awk"), "END { print NF, price(\"$6\") }").unwrap();
    assert_eq!(run(launch), "1 6\n");
    // Commands share neither the protocol's streams nor the terminal.
    let text = "BEGIN { system(\"cat; echo out; echo err >&2\"); print \"x\" | \"cat\"; print \"y\" > \"/dev/stderr\" }";
    assert_eq!(run(json!({"text": text})), "out\nx\nerr\ny\n");
    let text = "BEGIN { system(\"echo hidden > /proc/self/fd/1\"); printf \"ä\\xff\" }";
    assert_eq!(run(json!({"text": text, "options": ["-b"]})), "hidden\nä\u{fffd}");
}

#[test]
fn launches_that_cannot_be_are_refused() {
    let folder = folder("refused");
    fs::write(folder.join("wrong.awk"), "BEGIN {\n\tprint 1 +\n}").unwrap();
    let refused = |launch: serde_json::Value| Client::start(&folder).refused("launch", launch);
    let message = refused(json!({"program": "wrong.awk"}));
    assert!(message.starts_with("wrong.awk:2:"), "{message}");
    assert!(refused(json!({})).contains("there is no program"));
    assert!(
        refused(json!({"program": "none.awk"})).contains("cannot open program file 'none.awk'")
    );
    assert!(refused(json!({"program": 4})).contains("launch: a file's name or a list of them"));
    assert!(refused(json!({"text": "1", "args": "in"})).starts_with("launch: invalid type"));
    assert!(
        refused(json!({"text": "1", "cwd": "none"})).contains("cannot go to the folder 'none'")
    );
    assert!(
        refused(json!({"text": "1", "stdin": "none"})).contains("cannot read the standard input")
    );
    assert!(refused(json!({"text": "1", "stdin": "in", "input": ""})).contains("not both"));
    assert!(refused(json!({"text": "1", "options": ["--test"]})).contains("--test is no option"));
    assert!(refused(json!({"text": "1", "options": ["--help"]})).contains("run no program"));
    assert!(refused(json!({"text": "1", "options": ["--nosuch"]})).contains("--nosuch"));
    assert!(Client::start(&folder).refused("attach", json!({})).contains("use `launch'"));
    let mut client = launched(&folder);
    assert_eq!(client.refused("launch", json!({"text": "1"})), "a program is launched already");
    // A refused launch does not keep from another one.
    let mut client = Client::start(&folder);
    client.refused("launch", json!({}));
    client.ask("launch", json!({"text": "BEGIN { exit 3 }"}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.end("stdout").1, 3);
}

#[test]
fn sources_are_files_or_texts() {
    let folder = folder("sources");
    let text = "function f() {\n\treturn text::trim(\" x \")\n}\nBEGIN {\n\tf()\n}";
    let mut client = Client::launched(&folder, json!({"text": text}));
    let sources = client.ask("loadedSources", json!({}));
    let main = &sources["sources"][0];
    assert_eq!(main["sourceReference"], 1, "{sources}");
    let shown = client.ask("source", json!({"sourceReference": 1}));
    assert_eq!(shown["content"], text);
    assert!(client.refused("source", json!({"sourceReference": 99})).contains("no such text"));
    let lines = json!({"source": {"sourceReference": 1}, "line": 1, "endLine": 9});
    let lines = client.ask("breakpointLocations", lines);
    assert_eq!(lines["breakpoints"], json!([{"line": 2}, {"line": 5}]));
    let set = json!({"source": {"sourceReference": 1}, "breakpoints": [{"line": 2}]});
    client.ask("setBreakpoints", set);
    client.run();
    assert_eq!(client.stack(), ["2 f()", "5 BEGIN"]);
    client.go("stepIn");
    let stack = client.ask("stackTrace", json!({}));
    let library = &stack["stackFrames"][0];
    assert_eq!(library["presentationHint"], "subtle", "{stack}");
    let reference = library["source"]["sourceReference"].clone();
    let shown = client
        .ask("source", json!({"source": {"sourceReference": reference}, "sourceReference": 0}));
    assert!(shown["content"].as_str().unwrap().contains("function trim("));
    client.disconnect();
}

#[test]
fn lines_and_columns_may_begin_at_zero() {
    let folder = folder("zero");
    let mut client = Client::start(&folder);
    client.ask("initialize", json!({"linesStartAt1": false, "columnsStartAt1": false}));
    client.ask("launch", json!({"program": "p.awk"}));
    client.event("initialized");
    let set = client.breakpoints(&folder.join("p.awk"), json!([{"line": 2}]));
    assert_eq!(set[0]["line"], 2);
    client.run();
    let stack = client.ask("stackTrace", json!({}));
    let frame = &stack["stackFrames"][0];
    assert_eq!((&frame["line"], &frame["column"]), (&json!(2), &json!(1)));
    client.disconnect();
}

#[test]
fn a_program_that_runs_is_paused_and_answers_nothing_else() {
    let folder = folder("pause");
    let mut client = Client::launched(&folder, json!({"text": "BEGIN { while (1) i++ }"}));
    assert_eq!(client.refused("stackTrace", json!({})), "no program runs");
    assert_eq!(client.refused("pause", json!({})), "no program runs");
    client.ask("configurationDone", json!({}));
    assert_eq!(client.refused("configurationDone", json!({})), "there is nothing to begin");
    let running = "the program runs: pause it first";
    assert_eq!(client.refused("evaluate", json!({"expression": "i"})), running);
    assert_eq!(client.refused("next", json!({})), running);
    assert_eq!(client.ask("threads", json!({}))["threads"][0]["id"], 1);
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.event("stopped")["reason"], "pause");
    let before: u64 = client.evaluate("i + 0").parse().unwrap();
    assert_eq!(client.refused("exceptionInfo", json!({})), "the program has not failed");
    client.ask("continue", json!({}));
    client.ask("pause", json!({"threadId": 1}));
    client.event("stopped");
    assert!(client.evaluate("i + 0").parse::<u64>().unwrap() >= before);
    client.ask("terminate", json!({}));
    client.event("terminated");
    assert_eq!(client.shown("stderr"), "");
    assert_eq!(client.refused("evaluate", json!({"expression": "i"})), "the program ends");
    client.disconnect();
}

#[test]
fn what_the_program_prints_is_shown_while_it_runs() {
    let folder = folder("prints");
    let text = "BEGIN { print \"first\"; while (1) i++ }";
    let mut client = Client::launched(&folder, json!({"text": text}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.event("output")["output"], "first\n");
    client.disconnect();
}

#[test]
fn a_program_that_waits_is_terminated() {
    let folder = folder("waits");
    for text in [
        "BEGIN { \"sleep 60\" | getline; print \"not reached\" }",
        "BEGIN { system(\"sleep 60\"); print \"not reached\" }",
        "BEGIN { while ((\"sleep 60; echo\" |& getline line) > 0); print \"not reached\" }",
        "BEGIN { while (1); }",
    ] {
        let begin = Instant::now();
        let mut client = Client::launched(&folder, json!({"text": text}));
        client.ask("configurationDone", json!({}));
        client.ask("terminate", json!({}));
        assert_eq!(client.end("stdout").0, "", "{text}");
        assert_eq!(client.disconnect(), (Some(0), String::new()), "{text}");
        assert!(begin.elapsed().as_secs() < 30, "{text}");
    }
}

#[test]
#[cfg(unix)]
fn a_program_that_waits_for_its_input_is_terminated() {
    let folder = folder("fifo");
    let fifo = folder.join("fifo");
    let _ = fs::remove_file(&fifo);
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    // So that opening it does not wait.
    let mut writer = fs::OpenOptions::new().read(true).write(true).open(&fifo).unwrap();
    let mut client = Client::launched(&folder, json!({"text": "{ print }", "stdin": "fifo"}));
    client.ask("configurationDone", json!({}));
    writer.write_all(b"first\n").unwrap();
    // What was printed is shown when the program waits for more.
    assert_eq!(client.event("output")["output"], "first\n");
    client.ask("terminate", json!({}));
    assert_eq!(client.end("stdout").0, "");
    client.disconnect();
    drop(writer);
}

#[test]
fn a_session_may_end_at_any_moment() {
    let folder = folder("ends");
    let ended = (Some(0), String::new());
    assert_eq!(Client::start(&folder).close(), ended);
    assert_eq!(Client::start(&folder).disconnect(), ended);
    assert_eq!(launched(&folder).close(), ended);
    assert_eq!(launched(&folder).disconnect(), ended);
    let stopped = || {
        let mut client = launched(&folder);
        client.breakpoints(&folder.join("p.awk"), json!([{"line": 5}]));
        client.run();
        client
    };
    assert_eq!(stopped().close(), ended);
    assert_eq!(stopped().disconnect(), ended);
    let running = || {
        let mut client = Client::launched(&folder, json!({"text": "BEGIN { while (1) i++ }"}));
        client.ask("configurationDone", json!({}));
        client
    };
    assert_eq!(running().close(), ended);
    assert_eq!(running().disconnect(), ended);
}

#[test]
fn messages_that_are_wrong_are_answered_or_end_the_session() {
    let folder = folder("wrong");
    let mut client = Client::start(&folder);
    client.send_text("{");
    assert!(client.event("output")["output"].as_str().unwrap().contains("a message is no JSON"));
    client.send_text("{\"type\": \"request\", \"seq\": 1}");
    let shown = client.event("output")["output"].as_str().unwrap().to_owned();
    assert!(shown.contains("a message is no request: missing field `command`"), "{shown}");
    client.send_text("[]");
    client.send_text("{\"type\": \"response\", \"request_seq\": 4}");
    assert_eq!(client.refused("fly", json!({})), "`fly' is not supported");
    assert_eq!(client.refused("setBreakpoints", json!({"source": {}})), "launch a program first");
    let refused = client.refused("setBreakpoints", json!({"source": 5}));
    assert!(refused.starts_with("setBreakpoints: invalid type"), "{refused}");
    client.send_bytes(b"Content-Length: many\r\n\r\n");
    let (status, errors) = client.close();
    assert_eq!(status, Some(1));
    assert_eq!(errors, "rhawk: error: the debug adapter ended: the length is `many'\n");

    let mut client = Client::start(&folder);
    client.send_bytes(b"Content-Length: 40\r\n\r\n{");
    let (status, errors) = client.close();
    assert_eq!(status, Some(1));
    assert!(errors.contains("the input ends in a message"), "{errors}");
}

#[test]
fn without_debugging_nothing_stops() {
    let folder = folder("through");
    let launch = json!({"program": "p.awk", "args": ["in"], "noDebug": true, "stopOnEntry": true});
    let mut client = Client::launched(&folder, launch);
    client.breakpoints(&folder.join("p.awk"), json!([{"line": 3}]));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.end("stdout").0, "begin\ntotal 7\n");
}
