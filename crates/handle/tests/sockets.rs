//! Sockets: recv and read, cut packets, servers on several threads, gawk's names.

mod scratch;

use riverhawk_handle::{Connect, ErrorKind, Family, Handle, InetName, Listener, Retry, Spawn};
use riverhawk_text::decoder::Separators;
use scratch::Scratch;
use std::thread;
use std::time::Duration;

fn inet(name: &str) -> Handle {
    InetName::parse(name.as_bytes())
        .unwrap()
        .unwrap()
        .open(Retry { attempts: 200, pause: Duration::from_millis(10) })
        .unwrap()
}

/// Was free a moment ago.
fn free_port() -> u16 {
    Listener::tcp("127.0.0.1", "0").unwrap().port().unwrap()
}

fn connected() -> (Handle, Handle) {
    let listener = Listener::tcp("127.0.0.1", "0").unwrap();
    let client = Connect::tcp("localhost", &listener.port().unwrap().to_string())
        .family(Family::V4)
        .open()
        .unwrap();
    (client, listener.accept().unwrap())
}

#[test]
fn recv_returns_early_and_is_bounded_and_read_waits_for_all_or_the_end() {
    let (client, server) = connected();
    server.write(b"0123456789abcdefghijklmnopqrstuvwxyz").unwrap();
    assert_eq!(client.receive(7).unwrap(), b"0123456");
    assert_eq!(client.receive(3).unwrap(), b"789");
    assert_eq!(client.receive(1000).unwrap().len(), 26);
    let writing = server.clone();
    let later = thread::spawn(move || {
        for piece in [&b"first "[..], b"second ", b"third!!"] {
            thread::sleep(Duration::from_millis(10));
            writing.write(piece).unwrap();
            writing.flush().unwrap();
        }
    });
    assert_eq!(client.read_exactly(20).unwrap(), b"first second third!!");
    later.join().unwrap();
    server.write(b"short").unwrap();
    server.close().unwrap();
    assert_eq!(client.read_exactly(20).unwrap(), b"short");
    assert_eq!(client.read_exactly(20).unwrap(), b"");
    assert_eq!(client.receive(20).unwrap(), b"");
    assert!(client.is_at_end().unwrap());
}

#[test]
fn a_character_cut_over_packets_is_a_character() {
    let (client, server) = connected();
    server.set_buffer(0).unwrap();
    let sender = thread::spawn(move || {
        for byte in "a€ß𝄞z\r\nnext".as_bytes() {
            server.write(&[*byte]).unwrap();
            thread::sleep(Duration::from_millis(2));
        }
        server.close().unwrap();
    });
    assert_eq!(client.read_chars(2).unwrap().as_deref(), Some("a€"));
    let mut some = client.receive_text().unwrap();
    while some.chars().count() < 2 {
        some.push_str(&client.receive_text().unwrap());
    }
    assert_eq!(some, "ß𝄞");
    assert_eq!(client.read_line().unwrap().as_deref(), Some("z"));
    assert_eq!(client.read_line().unwrap().as_deref(), Some("next"));
    assert_eq!(client.read_line().unwrap(), None);
    sender.join().unwrap();
}

#[test]
fn separators_can_be_set_before_the_first_line_and_lines_work_without() {
    let (client, server) = connected();
    client.set_separators(Separators::strings([";", "::"]).unwrap());
    server.write(b"one;two::three\nfour;").unwrap();
    server.close_writing().unwrap();
    let lines: Vec<_> = client.lines().map(Result::unwrap).collect();
    assert_eq!(lines, ["one", "two", "three\nfour"]);
    let (client, server) = connected();
    server.write(b"lf\ncrlf\r\nrest").unwrap();
    server.close().unwrap();
    let lines: Vec<_> = client.lines().map(Result::unwrap).collect();
    assert_eq!(lines, ["lf", "crlf", "rest"]);
}

#[test]
fn a_socket_that_comes_from_elsewhere_can_be_half_closed_too() {
    let (one, other) = std::os::unix::net::UnixStream::pair().unwrap();
    let shared = Handle::from_fd("theirs", one).unwrap();
    let own = Handle::from_own_fd("ours", other).unwrap();
    for (writer, reader) in [(&shared, &own), (&own, &shared)] {
        writer.print("x").unwrap();
        writer.close_writing().unwrap();
        assert_eq!(reader.read_text().unwrap(), "x\n");
    }
}

#[test]
fn an_empty_buffer_reads_nothing_and_is_not_the_end() {
    let (client, server) = connected();
    assert_eq!(client.read(&mut []).unwrap(), 0);
    assert_eq!(client.receive(0).unwrap(), b"");
    assert!(!client.is_at_end().unwrap());
    server.print("x").unwrap();
    assert_eq!(client.read_line().unwrap().as_deref(), Some("x"));
}

#[test]
fn an_echo_server_accepts_on_one_thread_and_talks_on_others() {
    let listener = Listener::tcp("127.0.0.1", "0").unwrap();
    let port = listener.port().unwrap().to_string();
    let accepting = listener.clone();
    let server = thread::spawn(move || {
        let mut talking = Vec::new();
        loop {
            match accepting.accept() {
                Ok(connection) => talking.push(thread::spawn(move || {
                    while let Some(line) = connection.read_line().unwrap() {
                        connection.print(&format!("echo {line}")).unwrap();
                        connection.flush().unwrap();
                    }
                    connection.close().unwrap();
                })),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Closed);
                    break talking.into_iter().for_each(|thread| thread.join().unwrap());
                }
            }
        }
    });
    let clients: Vec<_> =
        (0..5).map(|_| Connect::tcp("127.0.0.1", &port).open().unwrap()).collect();
    for round in 0..3 {
        for (number, client) in clients.iter().enumerate() {
            client.print(&format!("{number} {round}")).unwrap();
            client.flush().unwrap();
        }
        for (number, client) in clients.iter().enumerate() {
            assert_eq!(client.read_line().unwrap(), Some(format!("echo {number} {round}")));
        }
    }
    for client in &clients {
        client.close_writing().unwrap();
        assert_eq!(client.read_line().unwrap(), None);
    }
    thread::sleep(Duration::from_millis(30));
    listener.close(); // ends the accept that is blocked
    server.join().unwrap();
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn an_accept_waits_no_longer_than_its_limit() {
    let listener = Listener::tcp("127.0.0.1", "0").unwrap();
    listener.set_timeout(Some(Duration::from_millis(20)));
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::TimedOut);
}

#[test]
fn the_same_over_unix_sockets() {
    let scratch = Scratch::new();
    let path = scratch.path("socket");
    let listener = Listener::unix(&path).unwrap();
    assert_eq!(listener.port(), None);
    let client = Handle::connect_unix(&path).unwrap();
    let server = listener.accept().unwrap();
    client.print("zwölf").unwrap();
    client.close_writing().unwrap();
    assert_eq!(server.read_text().unwrap(), "zwölf\n");
    server.write(b"\x00\xff binary").unwrap();
    server.close().unwrap();
    assert_eq!(client.read_to_end().unwrap(), b"\x00\xff binary");
    assert!(Listener::unix(&path).is_err());
    assert_eq!(Handle::connect_unix(scratch.path("none")).unwrap_err().kind(), ErrorKind::Missing);
    assert_eq!(Handle::connect_unix("a\0b").unwrap_err().kind(), ErrorKind::NulInName);
}

#[test]
fn failures_to_connect_and_to_listen_are_told() {
    let port = free_port().to_string();
    let error = Connect::tcp("127.0.0.1", &port).open().unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::ECONNREFUSED), "{error}");
    assert_eq!(
        error.to_string(),
        format!("cannot open the socket 127.0.0.1:{port}: Connection refused")
    );
    let taken = Listener::tcp("127.0.0.1", "0").unwrap();
    let error = Listener::tcp("127.0.0.1", &taken.port().unwrap().to_string()).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(libc::EADDRINUSE));
    assert_eq!(
        Connect::tcp("localhost", "no-such-service").open().unwrap_err().kind(),
        ErrorKind::UnknownHost
    );
}

#[test]
fn packets_are_packets() {
    let port = free_port();
    let server = thread::spawn(move || inet(&format!("/inet4/udp/{port}/0/0")));
    let client = inet(&format!("/inet4/udp/0/127.0.0.1/{port}"));
    // Repeated until the server listens and one arrives.
    while !server.is_finished() {
        let _ = client.print("hello");
        thread::sleep(Duration::from_millis(10));
    }
    let server = server.join().unwrap();
    assert_eq!(server.read_line().unwrap().as_deref(), Some("hello"));
    server.set_binary();
    server.write(b"one").unwrap();
    server.write(b"two").unwrap();
    assert_eq!(client.receive(100).unwrap(), b"one");
    assert_eq!(client.receive(100).unwrap(), b"two");
}

#[test]
fn gawks_names_open_clients_and_servers() {
    let port = free_port();
    let server = thread::spawn(move || {
        let server = inet(&format!("/inet4/tcp/{port}/0/0"));
        let line = server.read_line().unwrap().unwrap();
        server.print(&format!("you said {line}")).unwrap();
        server.close().unwrap();
    });
    let client = inet(&format!("/inet/tcp/0/127.0.0.1/{port}"));
    client.print("hello").unwrap();
    client.flush().unwrap();
    assert_eq!(client.read_line().unwrap().as_deref(), Some("you said hello"));
    server.join().unwrap();
}

#[test]
fn gawk_itself_talks_to_our_ends() {
    let port = free_port();
    let server = format!(
        r#"BEGIN {{ s = "/inet4/tcp/{port}/0/0"; s |& getline line; print "gawk heard " line |& s; close(s) }}"#
    );
    let Ok(gawk) = Spawn::argv(["gawk", &server]).start() else { return };
    let client = inet(&format!("/inet4/tcp/0/127.0.0.1/{port}"));
    client.print("us").unwrap();
    client.flush().unwrap();
    assert_eq!(client.read_line().unwrap().as_deref(), Some("gawk heard us"));
    assert!(gawk.finish().unwrap().is_success());

    let listener = Listener::tcp_family("", "0", Family::V4).unwrap();
    let port = listener.port().unwrap();
    let client = format!(
        r#"BEGIN {{ s = "/inet4/tcp/0/127.0.0.1/{port}"; print "gawk" |& s; s |& getline; print }}"#
    );
    let gawk = Spawn::argv(["gawk", &client]).read().unwrap();
    let server = listener.accept().unwrap();
    assert_eq!(server.read_line().unwrap().as_deref(), Some("gawk"));
    server.print("heard").unwrap();
    server.close().unwrap();
    assert_eq!(gawk.read_text().unwrap(), "heard\n");
}

#[test]
fn version_6_works_where_the_system_has_it() {
    let Ok(listener) = Listener::tcp_family("::1", "0", Family::V6) else { return };
    let client = Connect::tcp("::1", &listener.port().unwrap().to_string())
        .family(Family::V6)
        .open()
        .unwrap();
    let server = listener.accept().unwrap();
    client.print("six").unwrap();
    client.flush().unwrap();
    assert_eq!(server.read_line().unwrap().as_deref(), Some("six"));
}

#[test]
fn a_client_can_choose_its_own_port() {
    let listener = Listener::tcp_family("127.0.0.1", "0", Family::V4).unwrap();
    let (port, own) = (listener.port().unwrap().to_string(), free_port());
    let _client = Connect::tcp("127.0.0.1", &port).local_service(&own.to_string()).open().unwrap();
    assert!(listener.accept().is_ok());
}
