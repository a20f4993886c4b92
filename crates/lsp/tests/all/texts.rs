//! The session, the texts and what is wrong with them.

use serde_json::{Value, json};

use crate::client::{Client, range};

const URI: &str = "untitled:one";

fn messages(found: &[Value]) -> Vec<String> {
    let first = |it: &Value| it["message"].as_str().unwrap().lines().next().unwrap().to_owned();
    found.iter().map(|it| format!("{} {} {}", range(&it["range"]), it["code"], first(it))).collect()
}

#[test]
fn a_session_has_a_beginning_and_an_end() {
    let mut client = Client::with(
        json!({"capabilities": {"general": {"positionEncodings": ["utf-16", "utf-8"]}}}),
    );
    assert_eq!(client.capabilities["positionEncoding"], "utf-8");
    let unknown = client.refused("textDocument/nothing", json!({}));
    assert!(unknown.contains("textDocument/nothing"));
    let malformed = client.refused("textDocument/hover", json!({"textDocument": 1}));
    assert!(malformed.contains("textDocument") || malformed.contains("invalid"), "{malformed}");
    client.tell("$/cancelRequest", json!({"id": 1}));
    client.end();
    assert_eq!(Client::new().capabilities["positionEncoding"], "utf-16");
}

#[test]
fn errors_and_lint_are_published_with_their_codes_and_places() {
    let mut client = Client::new();
    client.open(URI, "BEGIN { print (1 }\nEND { if (x = 1) print x }\n");
    let found = client.diagnosed(URI);
    assert_eq!(messages(&found), ["0:14-0:15 \"RH0201\" expected `)`, found `}`"]);
    assert_eq!(found[0]["severity"], 1);
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(range(&related["location"]["range"]), "0:17-0:18");
    // The mistake is mended; the doubtful construct remains.
    let place = json!({"start": {"line": 0, "character": 16}, "end": {"line": 0, "character": 16}});
    client.change(URI, 2, json!([{"range": place, "text": ")"}]));
    let found = client.diagnosed(URI);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["severity"], 2);
    assert!(found[0]["message"].as_str().unwrap().starts_with("assignment used in conditional"));
    client.tell("textDocument/didClose", Client::of(URI));
    assert!(client.diagnosed(URI).is_empty());
    client.end();
}

#[test]
fn lint_rules_are_a_setting() {
    let mut client = Client::with(json!({"initializationOptions": {"lint": []}}));
    client.open(URI, "{ if (x = 1) print gensub(/a/, \"b\", 1) }");
    assert!(client.diagnosed(URI).is_empty());
    let settings = json!({"settings": {"rhawk": {"lint": ["suspicious", "extensions"]}}});
    client.tell("workspace/didChangeConfiguration", settings);
    let found = messages(&client.diagnosed(URI));
    assert!(found.iter().any(|it| it.contains("assignment used in conditional")), "{found:?}");
    assert!(found.iter().any(|it| it.contains("gawk extension")), "{found:?}");
    client.end();
}

#[test]
fn positions_count_what_the_client_asked_for() {
    for (encodings, column) in [(json!(["utf-8"]), 19), (json!(["utf-32"]), 16), (json!([]), 17)] {
        let params = json!({"capabilities": {"general": {"positionEncodings": encodings}}});
        let mut client = Client::with(params);
        client.open(URI, "BEGIN { x = \"\u{1F600}\" ) }");
        let found = client.diagnosed(URI);
        assert_eq!(found[0]["range"]["start"]["character"], column, "{found:?}");
        client.end();
    }
}

#[test]
fn quick_fixes_come_from_the_advice() {
    for (text, line, changed) in [
        ("BEGIN { x = lenght(y) }\n", 0, "0:12-0:18 length"),
        ("BEGIN { print ord(\"a\") }\n", 0, "0:0-0:0 @load \"ordchr\"\n"),
        ("{ if (x = 1) print }\n", 0, "0:8-0:9 =="),
        ("{ n =+ $1 }\n", 0, "0:4-0:6 +="),
        ("{ print length }\n", 0, "0:14-0:14 ()"),
    ] {
        let mut client = Client::new();
        client.open(URI, text);
        let range_of_line = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 99}});
        let params = json!({"textDocument": {"uri": URI}, "range": range_of_line, "context": {"diagnostics": []}});
        let actions = client.ask("textDocument/codeAction", params);
        let edits: Vec<String> = actions
            .as_array()
            .unwrap()
            .iter()
            .map(|action| &action["edit"]["changes"][URI][0])
            .map(|edit| format!("{} {}", range(&edit["range"]), edit["newText"].as_str().unwrap()))
            .collect();
        assert!(edits.iter().any(|edit| edit == changed), "{text}: {edits:?} {actions}");
        client.end();
    }
}
