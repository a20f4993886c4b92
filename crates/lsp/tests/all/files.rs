//! Programs of several files, and what lies beside them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::client::{Client, range};

/// A folder with files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("riverhawk-lsp-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        Folder(folder)
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.0.join(name).display())
    }

    fn client(&self) -> Client {
        Client::with(json!({"workspaceFolders": [{"uri": self.uri(""), "name": "test"}]}))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const MAIN: &str = "@include \"lib\"\nBEGIN { x = add(1); helper() }\n";
const LIB: &str = "# Adds.\nfunction add(n) { return n + total }\n";

fn places(found: &Value) -> Vec<String> {
    let name = |uri: &Value| uri.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let found = found.as_array().unwrap().iter();
    found.map(|it| format!("{} {}", name(&it["uri"]), range(&it["range"]))).collect()
}

#[test]
fn names_are_followed_through_included_files() {
    let folder = Folder::new("include", &[("main.awk", MAIN), ("lib.awk", LIB)]);
    let (main, lib) = (folder.uri("main.awk"), folder.uri("lib.awk"));
    let mut client = folder.client();
    // The file that includes it is not open.
    client.open(&lib, LIB);
    let mut params = Client::at(&lib, 1, 10);
    params["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", params);
    assert_eq!(places(&found), ["lib.awk 1:9-1:12", "main.awk 1:12-1:15"]);
    client.open(&main, MAIN);
    let found = client.ask("textDocument/definition", Client::at(&main, 1, 13));
    assert_eq!(places(&found), ["lib.awk 1:9-1:12"]);
    let found = client.ask("textDocument/definition", Client::at(&main, 0, 11));
    assert_eq!(found["uri"], json!(lib));
    let hover = client.ask("textDocument/hover", Client::at(&main, 1, 13));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Adds."));
    let mut params = Client::at(&main, 1, 13);
    params["newName"] = "sum".into();
    let edit = client.ask("textDocument/rename", params);
    assert_eq!(edit["changes"][&main].as_array().unwrap().len(), 1);
    assert_eq!(edit["changes"][&lib].as_array().unwrap().len(), 1);
    client.end();
}

#[test]
fn a_change_of_an_included_text_is_seen_where_it_is_included() {
    let folder = Folder::new("change", &[("main.awk", MAIN), ("lib.awk", LIB)]);
    let (main, lib) = (folder.uri("main.awk"), folder.uri("lib.awk"));
    let mut client = folder.client();
    client.open(&main, MAIN);
    let found = client.diagnosed(&main);
    assert!(found[0]["message"].as_str().unwrap().contains("`helper' is called but not defined"));
    client.open(&lib, LIB);
    client.change(&lib, 2, json!([{"text": format!("{LIB}function helper() {{ }}\n")}]));
    let found = client.diagnosed(&main);
    assert!(
        !found.iter().any(|it| it["message"].as_str().unwrap().contains("helper")),
        "{found:?}"
    );
    client.change(&lib, 3, json!([{"text": "function add(n) { return n + }\n"}]));
    assert!(client.diagnosed(&main).is_empty());
    assert_eq!(client.diagnosed(&lib)[0]["severity"], 1);
    client.change(&main, 2, json!([{"text": "@include \"none\"\n"}]));
    let found = client.diagnosed(&main);
    assert!(found[0]["message"].as_str().unwrap().contains("cannot open source file"), "{found:?}");
    client.end();
}

#[test]
fn columns_come_from_the_header_of_a_sample() {
    let text = "# rhawk: sample data.csv\n{ print @\"\n";
    let folder = Folder::new("sample", &[("data.csv", "id,full name\n1,x\n"), ("a.awk", text)]);
    let mut client = folder.client();
    client.open(&folder.uri("a.awk"), text);
    let found = client.ask("textDocument/completion", Client::at(&folder.uri("a.awk"), 1, 10));
    let labels: Vec<&str> =
        found.as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["full name", "id"]);
    client.end();
}

#[test]
fn counts_of_a_profile_are_lenses() {
    let text = "$1>0{ n++ }\nfunction f(a,b) { }\nEND { f(n) }\n";
    let profile = "\t# rhawk profile\n\n     3  $1 > 0 { # 2\n     2  \tn++\n\t}\n\n     1  function f(a, b)\n\t{\n\t}\n";
    let folder = Folder::new("profile", &[("a.awk", text), ("awkprof.out", profile)]);
    let mut client = folder.client();
    client.open(&folder.uri("a.awk"), text);
    let found = client.ask("textDocument/codeLens", Client::of(&folder.uri("a.awk")));
    let titles: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["command"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(titles, ["matched 2 of 3", "called once"]);
    client.end();
}
