//! Only texts that the next operation reads stay unmaterialised.

use super::{numeric_loop, unit};
use riverhawk_bytecode::Unit;
use riverhawk_spesh::Type;
use riverhawk_spesh::ir::{
    Callee, CodeRequest, EntryPoint, Feedback, FrameName, Inst, IrFunction, ReturnForm, Signature,
    SlotResolver, Snapshot, Text, View, Want, build, dump, verify,
};

fn texts(function: &IrFunction) -> Vec<Text> {
    let steps = function.blocks.iter().flat_map(|block| &block.steps);
    steps
        .filter_map(|step| if let Inst::Text(text) = step.inst { Some(text) } else { None })
        .collect()
}

fn turn(statements: &str) -> IrFunction {
    let function =
        numeric_loop(&format!("BEGIN {{ while (++i < 100) {{ {statements} }} print n, a[1] }}"));
    assert_eq!(verify(&function), Ok(()), "{statements}");
    function
}

#[test]
fn what_the_next_operation_looks_at_is_not_made() {
    let looks = [
        ("if (substr(s, i, 1) == \"a\") n++", "\"a\" equals piece("),
        ("if (s != substr(s, i)) n++", " equals piece("),
        ("if (substr(s, i, 1) < \"a\") n++", ", before "),
        ("n += length(substr(s, i, n))", "length of piece("),
        ("n += index(substr(s, i), \"x\")", "in piece("),
        ("n += substr(s, i, 2)", "number of piece("),
        ("n += substr(s, i, 1) in a", "has_element piece("),
        ("a[substr(s, i, 1)]++", "element of"),
        ("a[i, n] = n", "under key(2 operands)"),
        ("n += a[\"k\" i]", "under joined("),
        ("n += length(s \"-\" i)", "length of joined(3 operands)"),
        ("if (toupper(s) == \"A\") n++", "\"A\" equals upper("),
    ];
    for (statements, shown) in looks {
        let function = turn(statements);
        let dumped = dump(&function);
        assert!(dumped.contains(shown), "{statements}: {dumped}");
        assert!(
            texts(&function).iter().all(|text| matches!(text, Text::View { .. })),
            "{statements}: {dumped}"
        );
    }
}

#[test]
fn a_field_that_is_only_a_key_is_not_taken() {
    let shown = |statements: &str| dump(&turn(statements));
    for statements in ["a[$i]++", "a[$i] = n", "n += a[$2]", "a[$(i + 1)] -= n"] {
        let dumped = shown(statements);
        assert!(dumped.contains("under field v"), "{statements}: {dumped}");
        assert!(!dumped.contains("field r"), "{dumped}");
    }
    for statements in ["x = $i; a[x]++; n += x", "n += $i in a", "a[$i, n]++"] {
        assert!(!shown(statements).contains("under field"), "{statements}");
    }
}

#[test]
fn nf_is_asked_for_once_where_the_record_stays() {
    let is_before_loop = |statements: &str| {
        let mut function = turn(statements);
        riverhawk_spesh::ir::passes::run(&mut function, &[], |_, _| {});
        function.blocks[0].steps.iter().any(|step| matches!(step.inst, Inst::Special(_)))
    };
    assert!(is_before_loop("n += NF; a[$i]++"));
    for statements in ["n += NF; $i = n", "n += NF; $0 = n", "n += NF; getline", "n += NR; a[$i]++"]
    {
        assert!(!is_before_loop(statements), "{statements}");
    }
}

#[test]
fn what_anybody_else_looks_at_is_made() {
    let others = [
        "s = substr(s, i, 1); if (s == \"a\") n++",
        "x = substr(s, i, 1); n += length(x)",
        "print substr(s, i, 1)",
    ];
    for statements in others {
        let function = turn(statements);
        let is_made = |text: &Text| matches!(text, Text::Substr { .. });
        assert!(texts(&function).iter().any(is_made), "{statements}: {}", dump(&function));
        assert!(
            !texts(&function).iter().any(|text| matches!(text, Text::View { .. })),
            "{statements}"
        );
    }
}

#[test]
fn a_way_out_leads_to_the_operation_that_makes_the_text() {
    let function = turn("a[substr(s, i, 1)]++");
    let cut = unit("BEGIN { while (++i < 100) { a[substr(s, i, 1)]++ } print n, a[1] }")
        .code
        .iter()
        .position(|op| matches!(op, riverhawk_bytecode::Op::Substr { .. }))
        .unwrap() as u32;
    let guards =
        function.blocks.iter().flat_map(|block| &block.steps).filter_map(|step| match step.inst {
            Inst::Guard { exit, .. } => Some(function.exits[exit.0 as usize].at),
            _ => None,
        });
    assert!(guards.clone().any(|at| at == cut), "{}", dump(&function));
    assert!(!guards.clone().any(|at| at == cut + 1), "{}", dump(&function));
}

/// Resolves no call, and materialises all texts.
struct MadeAll;

impl SlotResolver for MadeAll {
    fn views(&self) -> bool {
        false
    }

    fn resolve(&mut self, _: &Signature, _: u32) -> Option<Callee> {
        None
    }

    fn attempt(&mut self, _: &Signature, _: ReturnForm) {}
}

#[test]
fn the_pass_can_be_left_out() {
    let unit: Unit = unit("function f(s, i) { return substr(s, i, 1) == \"a\" }");
    let built = |resolver: &mut dyn SlotResolver| {
        let entry = EntryPoint::Call { arguments: vec![None, Some(Type::Num)] };
        let request =
            CodeRequest { frame: FrameName::Function(0), entry, feedback: Feedback::default() };
        texts(&build(&Snapshot::of(&unit), &request, resolver).unwrap().0)
    };
    assert!(matches!(built(&mut MadeAll)[..], [Text::Substr { .. }]));
    let with = built(&mut riverhawk_spesh::ir::NoCallees);
    assert!(matches!(
        with[..],
        [Text::View { view: View::Piece { .. }, want: Want::Equals { text: Some(_), .. } }]
    ));
}
