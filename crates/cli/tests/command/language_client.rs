//! A scripted client of `--lsp` over the process's streams.

use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::{Value, json};

use crate::debug_adapter::client::read_message;
use crate::support::start_in;

pub struct LanguageClient {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl LanguageClient {
    /// Begins a session in a folder.
    pub fn start(folder: &Path) -> LanguageClient {
        let mut child = start_in(folder, &["--lsp"]);
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = LanguageClient { child, input, output, last: 0 };
        client.ask("initialize", json!({"capabilities": {}}));
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({"method": method, "params": params}));
    }

    /// The next message of this kind; others before it are dropped.
    fn until(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = read_message(&mut self.output).expect("the server runs");
            if is_meant(&message) {
                return message;
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(json!({"id": id, "method": method, "params": params}));
        let answer = self.until(|message| message["id"] == id);
        assert_eq!(answer.get("error"), None, "{method}");
        answer["result"].clone()
    }

    /// Opens a text, and gives what is found in it.
    pub fn open(&mut self, uri: &str, language: &str, text: &str) -> Value {
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        self.found()
    }

    /// What is found in a text that has been opened or changed.
    pub fn found(&mut self) -> Value {
        let published = self.until(|it| it["method"] == "textDocument/publishDiagnostics");
        published["params"]["diagnostics"].clone()
    }

    pub fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}
