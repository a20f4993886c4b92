//! `--lsp` over the process's streams.

use std::path::Path;

use serde_json::{Value, json};

use crate::language_client::LanguageClient;
use crate::support::run_in;

fn message(value: Value) -> String {
    let text = value.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

fn messages(mut output: &str) -> Vec<Value> {
    let mut found = Vec::new();
    while let Some((header, rest)) = output.split_once("\r\n\r\n") {
        let length: usize = header.rsplit(": ").next().unwrap().parse().unwrap();
        found.push(serde_json::from_str(&rest[..length]).unwrap());
        output = &rest[length..];
    }
    found
}

#[test]
fn an_editor_is_served_over_the_standard_streams() {
    let request = |id: u32, method: &str, params: Value| {
        message(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    };
    let notice = |method: &str, params: Value| {
        message(json!({"jsonrpc": "2.0", "method": method, "params": params}))
    };
    let text = "BEGIN { print substr(\"text\", 2) + }";
    let document = json!({"uri": "untitled:x", "languageId": "awk", "version": 1, "text": text});
    let hover =
        json!({"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 16}});
    let input = [
        request(1, "initialize", json!({"capabilities": {}})),
        notice("initialized", json!({})),
        notice("textDocument/didOpen", json!({"textDocument": document})),
        request(2, "textDocument/hover", hover),
        request(3, "shutdown", Value::Null),
        notice("exit", Value::Null),
    ];
    // Editors add their own words behind the option.
    let output = run_in(Path::new("."), &["--lsp", "--stdio"], &input.concat());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
    let found = messages(&String::from_utf8(output.stdout).unwrap());
    let answer = |id: u32| found.iter().find(|it| it["id"] == id).expect("an answer");
    assert_eq!(answer(1)["result"]["serverInfo"]["name"], "rhawk");
    assert_eq!(answer(3).get("error"), None);
    let published = found.iter().find(|it| it["method"] == "textDocument/publishDiagnostics");
    assert!(
        published.is_none_or(|it| it["params"]["diagnostics"][0]["severity"] == 1),
        "{found:?}"
    );

    let closed = run_in(Path::new("."), &["--lsp"], &input[..2].concat());
    assert_eq!(closed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&closed.stderr).contains("the language server ended"));
}

const TEXT: &str = "# Doubles a number.
function twice(n) { return n * 2 }
BEGIN { x = twice(3); a[\"k\"] = substr(\"text\", x); print a[\"k\"] }
{ total =+ $1 }
";

#[test]
fn every_request_is_answered_over_the_standard_streams() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    std::fs::write(folder.join("p.awk"), TEXT).unwrap();
    run_in(&folder, &["-f", "p.awk", "--profile=awkprof.out"], "3\n");
    let uri = format!("file://{}/p.awk", folder.display());
    let mut client = LanguageClient::start(&folder);
    let found = client.open(&uri, "awk", TEXT);
    assert_eq!((&found[0]["code"], found[1].as_object()), (&json!("RH0709"), None), "{found}");
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    let everything = json!({"start": at(0, 0), "end": at(4, 0)});
    let call = json!({"position": at(2, 14)});
    let layout = json!({"tabSize": 4, "insertSpaces": false});
    let context = json!({"includeDeclaration": true, "diagnostics": []});
    let mut wrong = Vec::new();
    for (method, params, part) in [
        ("hover", call.clone(), "Doubles a number."),
        ("completion", json!({"position": at(2, 15)}), "\"twice\""),
        ("signatureHelp", json!({"position": at(2, 18)}), "twice(n)"),
        ("definition", call.clone(), "\"line\":1"),
        ("references", json!({"position": at(2, 14), "context": context}), "\"line\":2"),
        ("documentHighlight", call.clone(), "\"line\":1"),
        ("prepareRename", call.clone(), "\"character\":12"),
        ("rename", json!({"position": at(2, 14), "newName": "double"}), "\"newText\":\"double\""),
        ("documentSymbol", json!({}), "\"name\":\"twice\""),
        ("foldingRange", json!({}), "[]"),
        ("selectionRange", json!({"positions": [at(2, 14)]}), "\"parent\""),
        ("semanticTokens/full", json!({}), "\"resultId\":\"1\""),
        ("semanticTokens/full/delta", json!({"previousResultId": "1"}), "\"edits\":[]"),
        ("semanticTokens/range", json!({"range": everything}), "\"data\":[0,0,19,"),
        ("inlayHint", json!({"range": everything}), "\": number\""),
        ("codeLens", json!({}), "called once"),
        ("codeAction", json!({"range": everything, "context": context}), "write `+=`"),
        ("formatting", json!({"options": layout}), "return n * 2"),
        ("rangeFormatting", json!({"range": everything, "options": layout}), "return n * 2"),
    ] {
        let mut params = params;
        params["textDocument"] = json!({"uri": uri});
        let answer = client.ask(&format!("textDocument/{method}"), params).to_string();
        if !answer.contains(part) {
            wrong.push(format!("{method}: {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let symbols = client.ask("workspace/symbol", json!({"query": "tw"})).to_string();
    assert!(symbols.contains("\"twice\""), "{symbols}");
    let mut asked = call;
    asked["textDocument"] = json!({"uri": uri});
    let item = client.ask("textDocument/prepareCallHierarchy", asked)[0].clone();
    let callers = client.ask("callHierarchy/incomingCalls", json!({"item": item}));
    assert_eq!(callers[0]["from"]["name"], "BEGIN", "{callers}");
    let called = client.ask("callHierarchy/outgoingCalls", json!({"item": callers[0]["from"]}));
    assert_eq!(called[0]["to"]["name"], "twice", "{called}");

    let change = json!([{"range": {"start": at(3, 8), "end": at(3, 10)}, "text": "+="}]);
    let document = json!({"uri": uri, "version": 2});
    let changed = json!({"textDocument": document, "contentChanges": change});
    client.tell("textDocument/didChange", changed);
    assert_eq!(client.found(), json!([]));
    client.end();
}

#[test]
fn hover_has_the_manuals_text() {
    let text = "BEGIN { print substr(\"text\", 2) }";
    let document = json!({"uri": "untitled:x", "languageId": "awk", "version": 1, "text": text});
    let hover =
        json!({"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 16}});
    let input = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": hover}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let input: String = input.into_iter().map(message).collect();
    let output = run_in(Path::new("."), &["--lsp"], &input);
    let found = messages(&String::from_utf8(output.stdout).unwrap());
    let hover = found.iter().find(|it| it["id"] == 2).expect("an answer");
    let text = hover["result"]["contents"]["value"].as_str().unwrap();
    assert!(text.contains("substr(s, m [, n])") && text.contains("#### "), "{text}");
}
