//! Programs in shell scripts, makefiles and YAML.

use crate::client::{Client, range};

#[test]
fn programs_in_quotes_are_diagnosed_where_they_are() {
    let uri = "file:///nowhere/x.sh";
    let text = "#!/bin/sh\nawk '{ print (1 }' a\necho é | gawk -F: '\n  BEGIN { x = ) }\n  END { if (y = 1) print y }'\nawk 'function f(a) { return a }\nBEGIN { f(1) }'\n";
    let mut client = Client::new();
    client.open_as(uri, "shellscript", text);
    let found: Vec<String> = client.diagnosed(uri).iter().map(|it| range(&it["range"])).collect();
    assert_eq!(found, ["1:13-1:14", "3:14-3:15"]);
    let found = client.ask("textDocument/definition", Client::at(uri, 6, 8));
    assert_eq!(range(&found[0]["range"]), "5:14-5:15");
    assert!(client.ask("textDocument/definition", Client::at(uri, 2, 1)).is_null());
    client.end();
}

#[test]
fn programs_in_makefiles_and_yaml_are_diagnosed_where_they_are() {
    for (name, language, text) in [
        ("Makefile", "makefile", "all: x\n\t@awk '{ print ($$1 }' x\n"),
        ("a.yml", "yaml", "it: isn't\nrun: |\n  awk '{ print (1  }' x\n"),
    ] {
        let uri = &format!("file:///nowhere/{name}");
        let mut client = Client::new();
        client.open_as(uri, language, text);
        let found: Vec<String> =
            client.diagnosed(uri).iter().map(|it| range(&it["range"])).collect();
        let expected = if language == "yaml" { "2:15-2:16" } else { "1:15-1:16" };
        assert_eq!(found, [expected], "{name}");
        client.end();
    }
}

#[test]
fn options_before_a_program_have_the_manuals_text() {
    let (script, program) = ("file:///nowhere/x.sh", "file:///nowhere/x.awk");
    let mut client = Client::new();
    client.open_as(script, "shellscript", "date\nawk -F: '{ print -FS }'\n");
    client.open(program, "#!/usr/bin/awk -F: -f\n# awk -F\n{ print }\n");
    for (uri, line, column) in [(script, 1, 5), (program, 0, 16)] {
        let found = client.ask("textDocument/hover", Client::at(uri, line, column));
        assert_eq!(found["contents"]["value"], "the separator of fields", "{uri}");
        let start = if uri == script { 4 } else { 15 };
        assert_eq!(range(&found["range"]), format!("{line}:{start}-{line}:{}", start + 2));
    }
    for (uri, line, column) in [(script, 0, 1), (script, 1, 1), (program, 1, 7), (program, 0, 20)] {
        let found = client.ask("textDocument/hover", Client::at(uri, line, column));
        assert!(found.is_null(), "{uri} {line}:{column} {found}");
    }
    client.end();
}
