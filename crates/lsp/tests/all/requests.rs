//! Every request about one text.

use serde_json::{Value, json};

use crate::client::{Client, range};

const URI: &str = "untitled:one";

const TEXT: &str = "\
# Adds to a total.
# The first argument is a number.
function add(n, list,    i)
{
	for (i in list) {
		total += list[i] + n
	}
	return total
}
BEGIN { FS = \":\"; add(1, a); a[1] = substr(\"text\", 2) }
$1 > 0 { print add(NF, a), x @\"full name\" }
";

fn opened() -> Client {
    let client = Client::new();
    client.open(URI, TEXT);
    client
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("a list: {value}"))
}

fn ranges(value: &Value) -> Vec<String> {
    list(value).iter().map(|it| range(&it["range"])).collect()
}

fn labels(value: &Value) -> Vec<String> {
    list(value).iter().map(|it| it["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn symbols_and_folds_follow_the_text() {
    let mut client = opened();
    let symbols = client.ask("textDocument/documentSymbol", Client::of(URI));
    let names: Vec<&str> = list(&symbols).iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["add", "BEGIN", "$1 > 0"]);
    assert_eq!(symbols[0]["detail"], "(n, list, i)");
    assert_eq!(range(&symbols[0]["selectionRange"]), "2:9-2:12");
    let folds = client.ask("textDocument/foldingRange", Client::of(URI));
    let lines: Vec<(u64, u64)> = list(&folds)
        .iter()
        .map(|it| (it["startLine"].as_u64().unwrap(), it["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(0, 1), (2, 8), (4, 6)]);
    let symbols = client.ask("workspace/symbol", json!({"query": "ad"}));
    assert_eq!(symbols[0]["name"], "add");
    client.end();
}

#[test]
fn names_lead_to_their_definition_and_uses() {
    let mut client = opened();
    let found = client.ask("textDocument/definition", Client::at(URI, 10, 16));
    assert_eq!(ranges(&found), ["2:9-2:12"]);
    let found = client.ask("textDocument/definition", Client::at(URI, 5, 12));
    assert_eq!(ranges(&found), ["2:16-2:20"], "a parameter");
    let found = client.ask("textDocument/definition", Client::at(URI, 7, 9));
    assert_eq!(ranges(&found), ["5:2-5:7"], "a global, where it is assigned");
    let mut params = Client::at(URI, 2, 10);
    params["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", params.clone());
    assert_eq!(ranges(&found), ["2:9-2:12", "9:18-9:21", "10:15-10:18"]);
    params["context"] = json!({"includeDeclaration": false});
    assert_eq!(ranges(&client.ask("textDocument/references", params)).len(), 2);
    let found = client.ask("textDocument/documentHighlight", Client::at(URI, 4, 6));
    assert_eq!(ranges(&found), ["2:25-2:26", "4:6-4:7", "5:16-5:17"]);
    assert_eq!(found[1]["kind"], 3, "the loop writes it");
    client.end();
}

fn renamed(client: &mut Client, line: u32, column: u32, new: &str) -> Vec<String> {
    let mut params = Client::at(URI, line, column);
    params["newName"] = new.into();
    let edit = client.ask("textDocument/rename", params);
    let edits = list(&edit["changes"][URI]).iter();
    let mut found: Vec<String> = edits
        .map(|it| format!("{} {}", range(&it["range"]), it["newText"].as_str().unwrap()))
        .collect();
    found.sort();
    found
}

fn refused(client: &mut Client, line: u32, column: u32, new: &str) -> String {
    let mut params = Client::at(URI, line, column);
    params["newName"] = new.into();
    client.refused("textDocument/rename", params)
}

#[test]
fn names_are_changed_everywhere_or_not_at_all() {
    let mut client = opened();
    let prepared = client.ask("textDocument/prepareRename", Client::at(URI, 9, 19));
    assert_eq!(
        (range(&prepared["range"]), &prepared["placeholder"]),
        ("9:18-9:21".into(), &json!("add"))
    );
    assert_eq!(
        renamed(&mut client, 9, 19, "sum"),
        ["10:15-10:18 sum", "2:9-2:12 sum", "9:18-9:21 sum"]
    );
    assert_eq!(renamed(&mut client, 5, 3, "all"), ["5:2-5:7 all", "7:8-7:13 all"]);
    assert_eq!(renamed(&mut client, 2, 13, "by"), ["2:13-2:14 by", "5:21-5:22 by"]);
    for (line, column, new, reason) in [
        (10, 19, "x", "variable of the engine"),
        (9, 38, "x", "built-in function"),
        (10, 32, "x", "column of the input"),
        (9, 19, "1x", "not a name"),
        (9, 19, "while", "word of the language"),
        (9, 19, "NR", "word of the language"),
        (9, 19, "total", "another meaning"),
        (5, 3, "n", "another meaning"),
        (2, 13, "total", "another meaning"),
    ] {
        let message = refused(&mut client, line, column, new);
        assert!(message.contains(reason), "{new}: {message}");
    }
    client.end();
}

#[test]
fn functions_that_may_be_called_by_name_keep_it() {
    let named = "function cmp(a, b) { return a < b }\nBEGIN { asort(x, y, \"cmp\") }\n";
    let computed = "function cmp(a) { }\n{ f = $1; @f(1) }\n";
    let known = "function cmp(a) { }\nfunction g(a) { }\n{ f = \"g\"; @f(1) }\n";
    let symtab = "BEGIN { v = 1; SYMTAB[$1] = 2 }\n";
    for (text, column, reason) in
        [(named, 10, "the string \"cmp\""), (computed, 10, "indirect call"), (symtab, 8, "SYMTAB")]
    {
        let mut client = Client::new();
        client.open(URI, text);
        let message = refused(&mut client, 0, column, "other");
        assert!(message.contains(reason), "{message}");
        client.end();
    }
    let mut client = Client::new();
    client.open(URI, known);
    assert_eq!(renamed(&mut client, 0, 10, "other"), ["0:9-0:12 other"]);
    client.end();
}

#[test]
fn names_keep_their_namespaces() {
    let text = "@namespace \"lib\"\nfunction f(a) { total += a; awk::count++ }\n@namespace \"awk\"\nBEGIN { lib::f(1); count = 2 }\n";
    let mut client = Client::new();
    client.open(URI, text);
    assert_eq!(renamed(&mut client, 3, 14, "g"), ["1:9-1:10 g", "3:13-3:14 g"]);
    assert_eq!(renamed(&mut client, 3, 20, "n"), ["1:33-1:38 n", "3:19-3:24 n"]);
    let message = refused(&mut client, 3, 14, "G");
    assert!(message.contains("another meaning"), "{message}");
    client.end();
}

#[test]
fn hover_tells_what_a_name_is() {
    let mut client = opened();
    for (line, column, part) in [
        (9, 38, "substr(s, m [, n])"),
        (9, 38, "the manual about substr"),
        (10, 19, "the manual about NF"),
        (9, 9, "Field separator"),
        (9, 19, "Adds to a total.\nThe first argument is a number."),
        (9, 19, "function add(n, list, i)"),
        (2, 17, "parameter array `list` of `add`"),
        (5, 3, "global number `total`"),
    ] {
        let found = client.ask("textDocument/hover", Client::at(URI, line, column));
        let text = found["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(part), "{line}:{column}: {text}");
    }
    assert!(client.ask("textDocument/hover", Client::at(URI, 0, 4)).is_null());
    client.end();
}

#[test]
fn completion_has_what_may_stand_there() {
    let mut client = opened();
    let found = labels(&client.ask("textDocument/completion", Client::at(URI, 5, 2)));
    for name in
        ["list", "add", "total", "substr", "math::round", "NF", "PROCINFO", "while", "gensub"]
    {
        assert_eq!(found.iter().filter(|it| *it == name).count(), 1, "{name}");
    }
    let outside = labels(&client.ask("textDocument/completion", Client::at(URI, 9, 8)));
    assert!(!outside.contains(&"list".to_owned()), "a parameter of a function");
    client.open("untitled:two", "BEGIN { PROCINFO[\"s\n");
    let found = client.ask("textDocument/completion", Client::at("untitled:two", 0, 19));
    assert_eq!(labels(&found), ["sorted_in"]);
    assert_eq!(range(&found[0]["textEdit"]["range"]), "0:18-0:19");
    client.open("untitled:three", "{ print @\"full name\", @\"f\n");
    let found = client.ask("textDocument/completion", Client::at("untitled:three", 0, 25));
    assert_eq!(labels(&found), ["full name"]);
    client.open("untitled:four", "# none \"here\n");
    assert!(
        labels(&client.ask("textDocument/completion", Client::at("untitled:four", 0, 12)))
            .is_empty()
    );
    client.end();
}

#[test]
fn signatures_show_the_argument() {
    let mut client = opened();
    let found = client.ask("textDocument/signatureHelp", Client::at(URI, 9, 50));
    assert_eq!(found["signatures"][0]["label"], "substr(s, m [, n])");
    assert_eq!(found["activeParameter"], 1);
    let found = client.ask("textDocument/signatureHelp", Client::at(URI, 10, 23));
    assert_eq!(found["signatures"][0]["label"], "add(n, list, i)");
    assert_eq!(found["activeParameter"], 1);
    assert!(client.ask("textDocument/signatureHelp", Client::at(URI, 3, 0)).is_null());
    client.end();
}

fn apply(text: &str, edits: &Value) -> String {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |at: &Value| {
        let line = at["line"].as_u64().unwrap() as usize;
        starts
            .get(line)
            .map_or(text.len(), |start| start + at["character"].as_u64().unwrap() as usize)
    };
    let mut changed = text.to_owned();
    for edit in list(edits).iter().rev() {
        let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        changed.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    changed
}

#[test]
fn formatting_changes_lines_and_a_range_only_its_rules() {
    let text = "BEGIN{x=1}\nfunction f(a){\nreturn a+1}\n\n# last\nEND{print x}\n";
    let whole = "BEGIN {\n\tx = 1\n}\n\nfunction f(a)\n{\n\treturn a + 1\n}\n\n# last\nEND {\n\tprint x\n}\n";
    let mut client = Client::new();
    client.open(URI, text);
    let options = json!({"tabSize": 4, "insertSpaces": false});
    let params = json!({"textDocument": {"uri": URI}, "options": options});
    let edits = client.ask("textDocument/formatting", params);
    assert_eq!(apply(text, &edits), whole);
    let place = json!({"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 3}});
    let params = json!({"textDocument": {"uri": URI}, "range": place, "options": options});
    let edits = client.ask("textDocument/rangeFormatting", params);
    assert_eq!(apply(text, &edits), text.replace("END{print x}", "END {\n\tprint x\n}"));
    client.open("untitled:two", "BEGIN {");
    let params = json!({"textDocument": {"uri": "untitled:two"}, "options": options});
    assert!(client.ask("textDocument/formatting", params).is_null(), "it has errors");
    client.end();
}

/// `line:column text type modifiers`.
fn tokens(text: &str, data: &Value, legend: &Value) -> Vec<String> {
    let (mut line, mut column, mut found) = (0, 0, Vec::new());
    let lines: Vec<&str> = text.split('\n').collect();
    for token in list(data).chunks(5) {
        let number = |at: usize| token[at].as_u64().unwrap() as usize;
        column = number(1) + if number(0) == 0 { column } else { 0 };
        line += number(0);
        let kind = legend["tokenTypes"][number(3)].as_str().unwrap();
        let part = &lines[line][column..column + number(2)];
        found.push(format!("{part} {kind} {}", number(4)));
    }
    found
}

#[test]
fn every_word_has_its_token() {
    let mut client = opened();
    let legend = client.capabilities["semanticTokensProvider"]["legend"].clone();
    let all = client.ask("textDocument/semanticTokens/full", Client::of(URI));
    let found = tokens(TEXT, &all["data"], &legend);
    assert_eq!(
        found[..9],
        [
            "# Adds to a total. comment 0",
            "# The first argument is a number. comment 0",
            "function keyword 0",
            "add function 1",
            "n parameter 1",
            "list parameter 1",
            "i parameter 1",
            "for keyword 0",
            "i parameter 2",
        ]
    );
    for token in
        ["FS variable 6", "\":\" string 0", "substr function 4", "1 number 0", "total variable 2"]
    {
        assert!(found.contains(&token.to_owned()), "{token}: {found:?}");
    }
    assert!(found.contains(&"\"full name\" property 0".to_owned()), "{found:?}");
    let place = json!({"start": {"line": 10, "character": 0}, "end": {"line": 10, "character": 9}});
    let params = json!({"textDocument": {"uri": URI}, "range": place});
    let part = client.ask("textDocument/semanticTokens/range", params);
    let part = tokens(TEXT, &part["data"], &legend);
    assert_eq!(part[..2], ["1 number 0", "0 number 0"]);
    client.end();
}

#[test]
fn a_change_of_tokens_is_sent_without_the_others() {
    let mut client = opened();
    let full =
        |client: &mut Client| client.ask("textDocument/semanticTokens/full", Client::of(URI));
    let delta = |client: &mut Client, previous: &Value| {
        let mut params = Client::of(URI);
        params["previousResultId"] = previous.clone();
        client.ask("textDocument/semanticTokens/full/delta", params)
    };
    let mut answer = full(&mut client);
    let mut data = list(&answer["data"]).clone();
    assert_eq!(delta(&mut client, &answer["resultId"])["edits"], json!([]), "nothing has changed");
    answer = full(&mut client);
    for (version, line, text) in
        [(2, 0, "# new\n"), (3, 1, "function g() { return \"x\" }\n"), (4, 1, "")]
    {
        let end = if text.is_empty() { line + 1 } else { line };
        let place =
            json!({"start": {"line": line, "character": 0}, "end": {"line": end, "character": 0}});
        client.change(URI, version, json!([{"range": place, "text": text}]));
        let changed = delta(&mut client, &answer["resultId"]);
        let edits = list(&changed["edits"]);
        assert_eq!(edits.len(), 1, "{changed}");
        let start = edits[0]["start"].as_u64().unwrap() as usize;
        let deleted = edits[0]["deleteCount"].as_u64().unwrap() as usize;
        let new = list(&edits[0]["data"]).clone();
        assert!(new.len() < 60 && deleted < 60, "{changed}");
        data.splice(start..start + deleted, new);
        answer = full(&mut client);
        assert_eq!(&data, list(&answer["data"]));
    }
    let old = delta(&mut client, &json!("0"));
    assert_eq!(list(&old["data"]), &data, "an answer that is forgotten gives all tokens");
    client.end();
}

#[test]
fn selections_grow_from_the_word_to_the_text() {
    let mut client = opened();
    let params = json!({"textDocument": {"uri": URI}, "positions": [{"line": 5, "character": 12}]});
    let found = client.ask("textDocument/selectionRange", params);
    let (mut level, mut ranges) = (&found[0], Vec::new());
    while !level.is_null() {
        ranges.push(range(&level["range"]));
        level = &level["parent"];
    }
    assert_eq!(ranges[..3], ["5:11-5:15", "5:11-5:18", "5:11-5:22"]);
    assert_eq!(ranges[ranges.len() - 2..], ["2:0-8:1", "0:0-11:0"]);
    client.end();
}

#[test]
fn hints_show_what_variables_hold() {
    let mut client = opened();
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": all});
    let hints = client.ask("textDocument/inlayHint", params);
    let found: Vec<String> = list(&hints)
        .iter()
        .map(|it| {
            let at = &it["position"];
            format!("{}:{}{}", at["line"], at["character"], it["label"].as_str().unwrap())
        })
        .collect();
    assert_eq!(found, ["2:20: array", "2:26: text", "5:7: number", "9:30: array"]);
    client.end();
}

#[test]
fn calls_are_found_in_both_directions() {
    let text = "function a() { b(); b() }\nfunction b() { c() }\nfunction c() { }\nBEGIN { b() }\n";
    let mut client = Client::new();
    client.open(URI, text);
    let items = client.ask("textDocument/prepareCallHierarchy", Client::at(URI, 0, 16));
    assert_eq!(items[0]["name"], "b");
    let item = json!({"item": items[0]});
    let found = client.ask("callHierarchy/incomingCalls", item.clone());
    let from = |it: &Value| format!("{} {}", it["from"]["name"], list(&it["fromRanges"]).len());
    assert_eq!(list(&found).iter().map(from).collect::<Vec<_>>(), ["\"a\" 2", "\"BEGIN\" 1"]);
    let of_rule = client.ask("callHierarchy/outgoingCalls", json!({"item": found[1]["from"]}));
    assert_eq!((list(&of_rule).len(), &of_rule[0]["to"]["name"]), (1, &json!("b")));
    let found = client.ask("callHierarchy/outgoingCalls", item);
    assert_eq!(list(&found).len(), 1);
    assert_eq!(found[0]["to"]["name"], "c");
    client.end();
}
