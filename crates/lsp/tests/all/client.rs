//! A client for the tests: sends requests over a connection in memory and waits for the answers.

use std::collections::BTreeMap;
use std::thread::JoinHandle;

use lsp_server::{Connection, Message, Notification, Request, Response};
use riverhawk_lsp::{ServeError, Surroundings, serve};
use serde_json::{Value, json};

/// A manual of two pages.
struct Pages;

impl Surroundings for Pages {
    fn manual(&self, name: &str) -> Option<String> {
        ["substr", "NF", "getline", "PROCINFO"]
            .contains(&name)
            .then(|| format!("the manual about {name}"))
    }

    fn option(&self, name: &str) -> Option<String> {
        (name == "-F").then(|| "the separator of fields".to_owned())
    }

    fn keys(&self, array: &str) -> Vec<(String, String)> {
        match array {
            "PROCINFO" => vec![("sorted_in".to_owned(), "the order of loops".to_owned())],
            _ => Vec::new(),
        }
    }
}

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), ServeError>>>,
    next: i32,
    /// What the server has published, by address.
    pub diagnostics: BTreeMap<String, Vec<Value>>,
    pub capabilities: Value,
}

impl Client {
    pub fn new() -> Client {
        Client::with(json!({}))
    }

    /// Starts a server with these parameters of `initialize`.
    pub fn with(mut params: Value) -> Client {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve(&server, &Pages));
        let mut client = Client {
            connection,
            server: Some(server),
            next: 0,
            diagnostics: BTreeMap::new(),
            capabilities: Value::Null,
        };
        if params.get("capabilities").is_none() {
            params["capabilities"] = json!({});
        }
        client.capabilities = client.ask("initialize", params)["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    pub fn tell(&self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.connection.sender.send(notification.into()).expect("the server runs");
    }

    pub fn response(&mut self, method: &str, params: Value) -> Response {
        self.next += 1;
        let request = Request::new(self.next.into(), method.to_owned(), params);
        self.connection.sender.send(request.into()).expect("the server runs");
        loop {
            match self.connection.receiver.recv().expect("the server runs") {
                Message::Response(response) => {
                    assert_eq!(response.id, self.next.into());
                    return response;
                }
                Message::Notification(notification) => self.note(notification),
                Message::Request(request) => panic!("a request: {request:?}"),
            }
        }
    }

    fn note(&mut self, notification: Notification) {
        assert_eq!(notification.method, "textDocument/publishDiagnostics");
        let uri = notification.params["uri"].as_str().expect("an address").to_owned();
        let found = notification.params["diagnostics"].as_array().expect("a list").clone();
        self.diagnostics.insert(uri, found);
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        response.response_result.unwrap_or_else(|error| panic!("{method}: {}", error.message))
    }

    /// Asks where a refusal is an answer, too, but no mistake of the server is.
    pub fn ask_or_refuse(&mut self, method: &str, params: Value) {
        let response = self.response(method, params);
        if let Err(error) = response.response_result {
            assert_eq!(
                error.code,
                lsp_server::ErrorCode::RequestFailed as i32,
                "{}",
                error.message
            );
        }
    }

    /// The message of a refusal.
    pub fn refused(&mut self, method: &str, params: Value) -> String {
        let response = self.response(method, params);
        response.response_result.expect_err(method).message
    }

    pub fn open_as(&self, uri: &str, language: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn open(&self, uri: &str, text: &str) {
        self.open_as(uri, "awk", text);
    }

    pub fn change(&self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }

    /// The diagnostics of a text, when all that was sent has been read.
    pub fn diagnosed(&mut self, uri: &str) -> Vec<Value> {
        // The server publishes after two answers at the latest, so before the third.
        for _ in 0..3 {
            self.ask("workspace/symbol", json!({"query": "no such name"}));
        }
        self.diagnostics.get(uri).cloned().unwrap_or_default()
    }

    pub fn at(uri: &str, line: u32, character: u32) -> Value {
        json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
    }

    pub fn of(uri: &str) -> Value {
        json!({"textDocument": {"uri": uri}})
    }

    /// Ends the session in order.
    pub fn end(mut self) {
        self.ask_nothing("shutdown");
        self.tell("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        server.join().expect("no panic").expect("an orderly end");
    }

    fn ask_nothing(&mut self, method: &str) {
        let response = self.response(method, Value::Null);
        assert!(response.response_result.is_ok());
    }
}

/// `line:column-line:column`.
pub fn range(value: &Value) -> String {
    let place = |end: &str| format!("{}:{}", value[end]["line"], value[end]["character"]);
    format!("{}-{}", place("start"), place("end"))
}
