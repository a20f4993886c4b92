//! Coprocesses and connections that need two processes, a network or a count of descriptors.

use riverhawk_tests::shell::Shell;

fn run(script: &str) -> riverhawk_tests::shell::Ran {
    Shell::new().run(&script.replace("rhawk ", "\"$RHAWK\" "))
}

/// Tries ports until one is free.
fn talk(ports: &str, server: &str, client: &str) -> riverhawk_tests::shell::Ran {
    let script = r#"
        for port in PORTS; do
            rhawk -v port=$port 'SERVER' 2>server.err &
            sleep 0.2
            if kill -0 $! 2>/dev/null; then
                CLIENT
                wait; break
            fi
        done"#;
    run(&script.replace("PORTS", ports).replace("SERVER", server).replace("CLIENT", client))
}

#[test]
fn a_server_and_a_client_talk() {
    let ran = talk(
        "18761 18762 18763 18764",
        r#"BEGIN { s = "/inet/tcp/" port "/0/0"
                while ((s |& getline line) > 0) { print "you said " line |& s; if (line == "quit") break }
                close(s) }"#,
        r#"rhawk -v port=$port 'BEGIN { s = "/inet4/tcp/0/127.0.0.1/" port
                    print "hi" |& s; s |& getline a; print a; print "quit" |& s; s |& getline a; print a; print close(s) }'"#,
    );
    ran.assert_prints("you said hi\nyou said quit\n0\n");
}

#[test]
fn a_connection_may_stand_behind_any_redirection() {
    let ran = talk(
        "18771 18772 18773 18774",
        r#"BEGIN { s = "/inet/tcp/" port "/0/0"; getline line < s; print line " to you" > s }"#,
        r#"rhawk -v port=$port 'BEGIN { s = "/inet/tcp/0/127.0.0.1/" port; print "hi" >> s; print (getline a < s), a; print close(s) }'"#,
    );
    ran.assert_prints("1 hi to you\n0\n");
}

#[test]
fn a_port_may_be_the_name_of_a_service() {
    // Tries services above the privileged numbers, by name, until one is free.
    let services = r#"$(rhawk '$2 ~ /^[0-9]+.tcp$/ && $2 + 0 > 2000 && n++ < 20 { print $1 "=" $2 + 0 }' /etc/services)"#;
    if !std::path::Path::new("/etc/services").exists() {
        return;
    }
    let ran = talk(
        services,
        r#"BEGIN { sub(/.*=/, "", port); s = "/inet/tcp/" port "/0/0"; print "one" |& s; close(s) }"#,
        r#"rhawk -v port=$port 'BEGIN { sub(/=.*/, "", port); s = "/inet/tcp/0/localhost/" port; print (s |& getline x), x }'"#,
    );
    ran.assert_prints("1 one\n");
    let nobody = r#"BEGIN { s = "/inet/tcp/0/localhost/nosuchservice"; print (s |& getline x), (ERRNO ~ /localhost:nosuchservice/) }"#;
    run(&format!("rhawk '{nobody}'")).assert_prints("-1 1\n");
    let ran = run(r#"rhawk 'BEGIN { print "x" |& "/inet/tcp/0/localhost/nosuchservice" }'"#);
    ran.assert_says(
        &["cannot connect to \"/inet/tcp/0/localhost/nosuchservice\": cannot open the socket"],
        2,
    );
}

#[test]
fn an_operand_may_be_a_connection() {
    let ran = talk(
        "18781 18782 18783 18784",
        r#"BEGIN { s = "/inet/tcp/" port "/0/0"; print "one\ntwo" |& s; close(s) }"#,
        r#"rhawk '{ print FNR, $0, FILENAME ~ /^.inet/ } END { print NR }' /inet/tcp/0/127.0.0.1/$port"#,
    );
    ran.assert_prints("1 one 1\n2 two 1\n2\n");
    let ran = run("rhawk '{ print }' /inet/tcp/0/127.0.0.1 2>&1 | head -n 1");
    ran.assert_prints(
        "rhawk: error: cannot open \"/inet/tcp/0/127.0.0.1\" for reading: the remote port is missing; \
         expected /inet/tcp/local-port/host/remote-port, or inet4, inet6, udp\n",
    );
}

#[test]
fn packets_go_round() {
    let ran = talk(
        "18791 18793 18795 18797",
        r#"BEGIN { s = "/inet/udp/" port "/0/0"; PROCINFO[s, "READ_TIMEOUT"] = 5000
                s |& getline line; print line " and back" |& s; close(s) }"#,
        r#"rhawk -v port=$port 'BEGIN { s = "/inet/udp/0/127.0.0.1/" port; PROCINFO[s, "READ_TIMEOUT"] = 5000
                    print "there" |& s; print (s |& getline a), a; print close(s) }'"#,
    );
    ran.assert_prints("1 there and back\n0\n");
}

#[test]
fn a_direction_of_a_connection_is_closed_and_its_answer_read() {
    let ran = talk(
        "18801 18803 18805 18807",
        r#"BEGIN { s = "/inet/tcp/" port "/0/0"; while ((s |& getline line) > 0) n++
                system("sleep 0.3"); print n " lines" |& s; close(s) }"#,
        r#"rhawk -v port=$port 'BEGIN { s = "/inet/tcp/0/localhost/" port; print "a\nb\nc" |& s; print close(s, "to")
                    PROCINFO[s, "READ_TIMEOUT"] = 50; PROCINFO[s, "RETRY"]
                    while ((got = (s |& getline a)) == -2) waited = 1
                    print got, a, waited; print close(s, "from"), close(s) }'"#,
    );
    ran.assert_prints("0\n1 3 lines 1\n0 -1\n");
}

#[test]
fn a_refused_connection_is_an_answer_to_getline_and_an_error_to_print() {
    let ran = run(
        r#"GAWK_SOCK_RETRIES=1 rhawk 'BEGIN { s = "/inet/tcp/0/127.0.0.1/1"; print (s |& getline x), ERRNO }'"#,
    );
    ran.assert_prints("-1 Connection refused\n");
    let ran =
        run(r#"GAWK_SOCK_RETRIES=1 rhawk 'BEGIN { print "x" |& "/inet/tcp/0/127.0.0.1/1" }'"#);
    ran.assert_says(&["cannot connect to \"/inet/tcp/0/127.0.0.1/1\": connection refused"], 2);
    let ran = run(r#"rhawk 'BEGIN { print "x" |& "/inet/tcp/x" }'"#);
    ran.assert_says(&["expected /inet/tcp/local-port/host/remote-port"], 2);
}

#[test]
fn a_thousand_coprocesses_leave_no_descriptor_and_no_zombie() {
    let ran = run(r#"ulimit -n 40; rhawk 'BEGIN {
        for (i = 1; i <= 1000; i++) { c = "cat # " i; print i |& c; c |& getline x; n += x; close(c) }
        look = "ls /proc/" PROCINFO["pid"] "/fd | wc -l"; look | getline open; close(look)
        "ps -o stat= --ppid " PROCINFO["pid"] " | grep -c Z" | getline zombies
        print n, (open < 10), zombies }'"#);
    ran.assert_prints("500500 1 0\n");
}

#[test]
fn a_thousand_commands_read_leave_no_descriptor() {
    let ran = run(r#"ulimit -n 40; rhawk 'BEGIN {
        for (i = 1; i <= 1000; i++) { c = "echo " i; c | getline x; n += x; close(c) }
        "ls /proc/" PROCINFO["pid"] "/fd | wc -l" | getline open
        print n, (open < 10) }'"#);
    ran.assert_prints("500500 1\n");
}

#[test]
fn children_inherit_nothing_but_the_standard_streams() {
    // Inherited ends of other coprocesses would hide the end of their input.
    let ran = run(r#"ls /proc/self/fd | wc -l; rhawk 'BEGIN { a = "cat"; print "x" |& a
        b = "ls /proc/self/fd | wc -l"; b |& getline n; print n; close(a) }'"#);
    let counts: Vec<&str> = ran.stdout.lines().collect();
    assert!(matches!(counts[..], [ours, theirs] if ours == theirs), "{ran:?}");
}

#[test]
fn a_coprocess_keeps_the_environment_that_it_was_started_with() {
    let ran = run(
        r#"rhawk 'BEGIN { ENVIRON["RH"] = "then"; c = "while read x; do echo $x $RH; done"
        print 1 |& c; c |& getline y; print y; ENVIRON["RH"] = "now"; print 2 |& c; c |& getline y; print y
        d = "echo $RH"; d |& getline y; print y }'"#,
    );
    ran.assert_prints("1 then\n2 then\nnow\n");
}

#[test]
fn a_coprocess_that_is_gone_is_told_of() {
    let ran = run(
        r#"rhawk 'BEGIN { c = "exec 0<&-; sleep 1"; print "x" |& c; system("sleep 0.3"); print "y" |& c; print "z" |& c }'"#,
    );
    ran.assert_says(&["cannot write to the coprocess", "broken pipe"], 2);
}

#[test]
fn a_slow_input_can_be_given_up_and_tried_again() {
    let ran = run(r#"(sleep 0.4; echo x) | rhawk 'BEGIN {
        PROCINFO["-", "READ_TIMEOUT"] = 50; PROCINFO["-", "RETRY"] = 1
        while ((r = (getline line < "-")) == -2) waits++
        print r, line, (waits > 1 ? "waited" : waits) }'"#);
    ran.assert_prints("1 x waited\n");
    let ran = run(
        r#"rhawk 'BEGIN { c = "sleep 0.4; echo x"; PROCINFO[c, "READ_TIMEOUT"] = 50; PROCINFO[c, "RETRY"] = 1
        while ((r = (c |& getline line)) == -2) waits++
        print r, line, (waits > 1 ? "waited" : waits) }'"#,
    );
    ran.assert_prints("1 x waited\n");
    for how in ["|", "|&"] {
        let ran =
            run(&r#"GAWK_READ_TIMEOUT=50 rhawk 'BEGIN { c = "sleep 0.4; echo x"; print (c HOW getline), ERRNO }'"#
                .replace("HOW", how));
        ran.assert_prints("-1 Connection timed out\n");
    }
}

/// gawk waits at the first `close`, forever if the command waits for the end of its input.
#[test]
fn ends_can_be_closed_in_any_order() {
    let closed = |orders: &str| {
        run(&r#"rhawk 'BEGIN { c = "cat > /dev/null; exit 3"; print "a" |& c; print ORDERS }'"#
            .replace("ORDERS", orders))
    };
    closed(r#"close(c, "to"), close(c, "from"), close(c), ERRNO"#)
        .assert_prints("0 3 -1 close of redirection that was never opened\n");
    closed(r#"close(c, "from"), close(c, "to"), close(c)"#).assert_prints("0 3 -1\n");
    closed(r#"close(c, "to"), close(c, "to"), close(c)"#).assert_prints("0 0 3\n");
    closed(r#"close(c, "from"), close(c, "from"), close(c), close(c)"#).assert_prints("0 0 3 -1\n");
}

#[test]
fn a_getline_from_the_main_input_that_times_out_is_an_answer() {
    let slow = r#"(echo a; sleep 0.4; echo b) | rhawk 'BEGIN { PROCINFO["-", "READ_TIMEOUT"] = 50; FIRST
        while ((r = (getline VAR)) > 0 || r == -2) { if (r == -2) waits++; else print VALUE } print r, ERRNO, (waits > 1) }'"#;
    for (variable, value) in [("", "$0"), ("x", "x")] {
        let script = slow.replace("VAR", variable).replace("VALUE", value);
        run(&script.replace("FIRST", "")).assert_prints("a\n-1 Connection timed out 0\n");
        // ERRNO stays as it was.
        let ran = run(&script.replace("FIRST", r#"PROCINFO["-", "RETRY"]"#));
        ran.assert_prints("a\nb\n0 Connection timed out 1\n");
    }
}

#[test]
fn the_main_input_times_out_too() {
    let ran = run(
        r#"(echo a; sleep 1; echo b) | rhawk 'BEGIN { PROCINFO["-", "READ_TIMEOUT"] = 100 } { print }'"#,
    );
    assert_eq!(ran.stdout, "a\n");
    ran.assert_says(&["standard input any further, after record 1: connection timed out"], 2);
}

#[test]
fn a_terminal_answers_as_a_terminal() {
    let ran = run(
        r#"rhawk 'BEGIN { c = "tty >/dev/null && echo yes || echo no"; PROCINFO[c, "pty"] = 1; c |& getline x; sub(/\r$/, "", x); print x }'"#,
    );
    ran.assert_prints("yes\n");
}
