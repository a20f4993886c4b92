use super::*;
use crate::small::SMALL_CAPACITY;
use crate::value::{NumberFormat, View};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn listed(array: &Array) -> Vec<String> {
    array
        .keys()
        .map(|key| String::from_utf8_lossy(key.bytes(b"").unwrap_or_default()).into_owned())
        .collect()
}

#[test]
fn text_spelled_like_an_integer_is_the_integer_and_other_spellings_are_not() {
    assert!(matches!(Probe::from_text(b"12"), Probe::Int(12)));
    assert!(matches!(Probe::from_text(b"-3"), Probe::Int(-3)));
    assert!(matches!(Probe::from_text(b"0"), Probe::Int(0)));
    for other in [&b"012"[..], b"-0", b"+1", b"1.0", b" 1", b"", b"-", b"1234567890123456", b"1a"] {
        assert!(!matches!(Probe::from_text(other), Probe::Int(_)), "{other:?}");
    }
}

#[test]
fn an_array_by_arrival_keeps_integers_among_the_others_and_forgets_the_latest() {
    let mut array = Array::by_arrival();
    for key in ["2", "x", "1", "0", "a-key-that-is-longer-than-fourteen-bytes", "3"] {
        array.set(Probe::from_text(key.as_bytes()), Value::Num(1.0));
    }
    let all = ["2", "x", "1", "0", "a-key-that-is-longer-than-fourteen-bytes", "3"];
    assert_eq!(listed(&array), all);
    array.remove(Probe::Int(1));
    array.forget_arrivals(2);
    assert_eq!(
        (listed(&array), array.len(), array.arrived()),
        (vec!["2".to_owned(), "x".to_owned()], 2, 2)
    );
    for key in 10..20 {
        array.set(Probe::Int(key), Value::Num(1.0));
    }
    array.forget_arrivals(8);
    assert!((10..16).all(|key| array.get(Probe::Int(key)).is_some()));
    assert!((16..20).all(|key| array.get(Probe::Int(key)).is_none()));
    array.forget_arrivals(2);
    array.set(Probe::Int(3), Value::Uninit);
    array.set(Probe::Int(2), Value::Uninit);
    assert_eq!(listed(&array), ["2", "x", "3"]);
    assert_eq!(array.arrivals(2).count(), 1);
}

#[test]
fn emptying_and_filling_are_noticed_and_other_changes_are_not() {
    let mut array = Array::default();
    array.set(Probe::Int(1), Value::Uninit);
    array.await_clearing();
    array.set(Probe::Int(2), Value::Uninit);
    array.remove(Probe::Int(1));
    assert!(!array.was_cleared());
    array.fill([Value::Num(1.0)].into_iter());
    assert!(array.was_cleared());
    array.await_clearing();
    array.clear();
    assert!(array.was_cleared());
}

/// Found by the differential generator: from 10^15 on a number and its text were two keys.
#[test]
fn a_number_and_its_text_are_the_same_key_at_every_size() {
    let format = NumberFormat::parse(b"%.6g");
    for integer in [999_999_999_999_999u64, 1_000_000_000_000_000, 1 << 53, 1 << 63] {
        for number in [integer as f64, -(integer as f64)] {
            let (value, mut scratch) = (Value::Num(number), Vec::new());
            let mut array = Array::default();
            array.set(Probe::from_value(&value, b"", &format, &mut scratch), Value::Num(1.0));
            assert!(
                array.contains(Probe::from_text(format!("{number:.0}").as_bytes())),
                "{number}"
            );
        }
    }
}

#[test]
fn keys_come_dense_integers_first_and_then_in_order_of_arrival() {
    let mut array = Array::default();
    for key in ["z", "2", "1", "b", "3", "-5", "a"] {
        array.set(Probe::from_text(key.as_bytes()), Value::Num(0.0));
    }
    // 2 came before 1, so it is in the table, and 3 follows it there.
    assert_eq!(listed(&array), ["1", "z", "2", "b", "3", "-5", "a"]);
}

#[test]
fn a_fill_is_one_to_n_and_replaces_what_was_there() {
    let mut array = Array::default();
    array.set(Probe::Text(b"x"), Value::Num(1.0));
    array.fill((1..=3).map(|n| Value::Num(f64::from(n))));
    assert_eq!(listed(&array), ["1", "2", "3"]);
    array.fill(std::iter::empty());
    assert!(array.is_empty());
    assert!(!array.contains(Probe::Int(0)));
}

#[test]
fn a_queue_holds_memory_for_what_is_in_it_and_not_for_what_has_been() {
    let mut array = Array::default();
    let last = if cfg!(miri) { 2_000 } else { 100_000 };
    for at in 1..=last {
        array.set(Probe::Int(at), Value::Num(at as f64));
        array.remove(Probe::Int(at - 10));
        assert_eq!(array.len() as i64, at.min(10));
    }
    assert!(
        array.dense.len() + array.entries.len() < 300,
        "{} + {}",
        array.dense.len(),
        array.entries.len()
    );
    assert_eq!(listed(&array), (last - 9..=last).map(|at| at.to_string()).collect::<Vec<_>>());
    assert_eq!(
        array.get(Probe::Int(last - 5)).map(|value| value.number(b"")),
        Some(last as f64 - 5.0)
    );
    assert!(!array.contains(Probe::Int(5)));
}

#[test]
fn integers_that_come_out_of_order_are_dense_when_there_are_enough_of_them() {
    let mut array = Array::default();
    array.set(Probe::Text(b"word"), Value::EMPTY);
    for at in (4..2_000).step_by(2).chain((9..2_000).step_by(6)) {
        array.set(Probe::Int(at), Value::Num(at as f64));
    }
    assert!(array.entries.len() < 70, "{}", array.entries.len());
    let mut expected: Vec<i64> =
        (4..2_000).filter(|at| at % 2 == 0 || (at % 6 == 3 && *at >= 9)).collect();
    assert_eq!(array.len(), expected.len() + 1);
    let last = expected.len();
    expected.extend([0]);
    let keys = listed(&array);
    assert_eq!(keys[last], "word");
    assert_eq!(keys[..last], expected[..last].iter().map(ToString::to_string).collect::<Vec<_>>());
    let mut sparse = Array::default();
    for at in 0..1_000 {
        sparse.set(Probe::Int(at * 7), Value::Num(at as f64));
    }
    assert!(sparse.dense.len() < 200, "{}", sparse.dense.len());
}

#[test]
fn a_key_longer_than_a_value_is_found_again() {
    let mut array = Array::default();
    for word in ["a key that needs an allocation", "a key that needs another allocation", ""] {
        array.set(Probe::from_text(word.as_bytes()), Value::from_text(word.as_bytes()));
    }
    for word in ["a key that needs an allocation", "a key that needs another allocation", ""] {
        assert_eq!(
            array
                .get(Probe::from_text(word.as_bytes()))
                .as_ref()
                .and_then(|value| value.bytes(b"")),
            Some(word.as_bytes())
        );
        assert!(array.remove(Probe::from_text(word.as_bytes())));
        assert!(!array.remove(Probe::from_text(word.as_bytes())));
    }
    assert!(array.is_empty());
}

#[test]
fn keys_taken_before_a_change_are_not_changed_by_it() {
    let mut array = Array::default();
    array.fill((0..3).map(|n| Value::Num(f64::from(n))));
    array.set(Probe::Text(b"word"), Value::EMPTY);
    let keys = array.keys();
    array.clear();
    array.set(Probe::Text(b"new"), Value::EMPTY);
    let spelled: Vec<Vec<u8>> =
        keys.map(|key| key.bytes(b"").unwrap_or_default().to_vec()).collect();
    assert_eq!(spelled, [&b"1"[..], b"2", b"3", b"word"]);
}

#[test]
fn a_number_is_the_key_that_its_spelling_is() {
    let convfmt = NumberFormat::parse(b"%.3g");
    let spelled = |number: f64| {
        let mut scratch = Vec::new();
        match Probe::from_value(&Value::Num(number), b"", &convfmt, &mut scratch) {
            Probe::Int(integer) => integer.to_string(),
            Probe::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Probe::Short(short) => {
                String::from_utf8_lossy(short.to_small().as_bytes()).into_owned()
            }
        }
    };
    for (number, expected) in [
        (1.0, "1"),
        (-7.0, "-7"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (2.0f64.sqrt(), "1.41"),
        (1e15, "1000000000000000"),
        (9_007_199_254_740_994.0, "9007199254740994"),
        (-1e18, "-1000000000000000000"),
        (f64::INFINITY, "+inf"),
    ] {
        assert_eq!(spelled(number), expected);
    }
}

proptest! {
    #[test]
    fn integers_in_any_order_behave_as_a_map(
        steps in proptest::collection::vec((0i64..60, 1i64..5, 1i64..120, any::<bool>()), 0..40),
    ) {
        let mut array = Array::default();
        let mut model = BTreeMap::new();
        for (from, stride, count, deletes) in steps {
            for at in (0..count).map(|n| from * 3 - 20 + n * stride) {
                if deletes {
                    prop_assert_eq!(array.remove(Probe::Int(at)), model.remove(&at).is_some());
                } else {
                    array.set(Probe::Int(at), Value::Num(at as f64));
                    model.insert(at, at as f64);
                }
            }
            prop_assert_eq!(array.len(), model.len());
            prop_assert_eq!(array.dense.holes, array.dense.slots().filter(Option::is_none).count());
        }
        for at in -30..800 {
            prop_assert_eq!(array.get(Probe::Int(at)).map(|value| value.number(b"")), model.get(&at).copied());
        }
        let mut keys: Vec<i64> = array.keys().map(|key| key.number(b"") as i64).collect();
        keys.sort_unstable();
        prop_assert_eq!(keys, model.into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn a_sliding_range_of_integers_behaves_as_a_map(steps in proptest::collection::vec((-1i64..4, 0i64..400), 0..300)) {
        let mut array = Array::default();
        let mut model = BTreeMap::new();
        let mut head = 0;
        for (advance, back) in steps {
            for _ in 0..advance.max(0) * 20 {
                head += 1;
                array.set(Probe::Int(head), Value::Num(head as f64));
                model.insert(head, head as f64);
            }
            for gone in (head - back).max(0)..=(head - back / 2) {
                prop_assert_eq!(array.remove(Probe::Int(gone)), model.remove(&gone).is_some());
            }
            prop_assert_eq!(array.len(), model.len());
            for probed in head - 200..head + 3 {
                prop_assert_eq!(array.get(Probe::Int(probed)).map(|v| v.number(b"")), model.get(&probed).copied());
            }
        }
        let mut keys: Vec<i64> = array.keys().map(|key| key.number(b"") as i64).collect();
        keys.sort_unstable();
        prop_assert_eq!(keys, model.into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn behaves_as_a_map_from_spellings(operations in proptest::collection::vec((0..5u8, -2i64..12, any::<bool>()), 0..300)) {
        let mut array = Array::default();
        let mut model: BTreeMap<String, f64> = BTreeMap::new();
        for (step, (operation, key, word)) in operations.into_iter().enumerate() {
            let spelling = if word { format!("key number {key}") } else { key.to_string() };
            let probe = Probe::from_text(spelling.as_bytes());
            match operation {
                0 => {
                    array.set(probe, Value::Num(step as f64));
                    model.insert(spelling.clone(), step as f64);
                }
                1 => prop_assert_eq!(array.remove(probe), model.remove(&spelling).is_some()),
                2 => {
                    for key in array.keys() {
                        let spelled = key.bytes(b"").unwrap_or_default();
                        let name = String::from_utf8_lossy(spelled).into_owned();
                        let probe = Probe::from_text(spelled);
                        prop_assert_eq!(array.get(probe).map(|value| value.number(b"")), model.get(&name).copied());
                        if name.ends_with('7') {
                            prop_assert!(array.remove(probe));
                            prop_assert!(!array.contains(probe));
                            model.remove(&name);
                        }
                    }
                }
                3 => drop(array.keys()),
                _ => prop_assert_eq!(array.get(probe).map(|value| value.number(b"")), model.get(&spelling).copied()),
            }
            prop_assert_eq!(array.len(), model.len());
        }
        let mut keys = listed(&array);
        keys.sort();
        prop_assert_eq!(keys, model.keys().cloned().collect::<Vec<_>>());
    }
}

#[test]
fn what_is_known_is_the_element_under_that_key() {
    let convfmt = NumberFormat::parse(b"%.6g");
    let texts: Vec<String> = (0..400).map(|n| format!("{}{n}x", "k".repeat(n % 16))).collect();
    let record = texts.concat();
    let mut start = 0;
    let views: Vec<Value> = texts
        .iter()
        .map(|text| {
            let from = start;
            start += text.len() as u32;
            Value::View(View::input(from, start))
        })
        .collect();
    let (mut array, mut scratch, mut known) = (Array::default(), Vec::new(), 0);
    for (n, key) in views.iter().enumerate() {
        assert!(array.known(key, record.as_bytes()).is_none());
        array.place_under(key, record.as_bytes(), &convfmt, &mut scratch).set_number(n as f64);
    }
    for (n, (text, view)) in texts.iter().zip(&views).enumerate() {
        for key in [&Value::from_text(text.as_bytes()), &Value::from_input(text.as_bytes()), view] {
            if let Some(element) = array.known(key, record.as_bytes()) {
                assert_eq!(element.number(b""), n as f64);
                known += 1;
            }
        }
    }
    // All but the long ones, those that others pushed out of their bucket, and views at the end.
    let short = texts.iter().filter(|text| text.len() <= SMALL_CAPACITY).count();
    assert!(known > 3 * short * 7 / 10 && known <= 3 * short, "{known} of {short}");
    for other in [Value::from_text(b"7"), Value::from_text(b"absent"), Value::Num(7.0)] {
        array.set(Probe::Int(7), Value::EMPTY);
        assert!(array.known(&other, b"").is_none());
    }
}

#[test]
fn mentioning_an_element_copies_it_and_makes_a_missing_one() {
    let numbers = || (0..8).map(|at| Value::Num(f64::from(at)));
    let texts =
        || numbers().map(|value| Value::from_text(&value.number(b"").to_string().into_bytes()));
    for (is_packed, values) in [(true, numbers().collect()), (false, texts().collect::<Vec<_>>())] {
        let mut array = Array::default();
        array.fill(values.into_iter());
        assert!(array.remove(Probe::Int(5)));
        assert_eq!(array.place(Probe::Int(3)).number(), 2.0);
        assert_eq!((array.len(), array.dense.is_packed()), (7, is_packed));
        // A hole, the next, and two that are not in the dense part.
        for (made, probe) in [Probe::Int(5), Probe::Int(9), Probe::Int(-4), Probe::from_text(b"k")]
            .into_iter()
            .enumerate()
        {
            for _ in 0..2 {
                assert!(matches!(array.place(probe).to_value(), Value::Uninit), "{probe:?}");
                assert_eq!(array.len(), 8 + made, "{probe:?}");
            }
            assert!(array.contains(probe), "{probe:?}");
        }
    }
}

#[test]
fn a_footprint_counts_what_an_array_holds_and_what_the_arrays_in_it_do() {
    let numbers = |count: i64| {
        let mut array = Array::default();
        (1..=count).for_each(|key| array.set(Probe::Int(key), Value::Num(key as f64)));
        array
    };
    let empty = Array::default().footprint();
    let large = numbers(1_000).footprint();
    assert!((empty + 8_000..empty + 40_000).contains(&large), "{large} of {empty}");

    let mut short = Array::default();
    (1..=1_000).for_each(|key| short.set(Probe::Int(key), Value::from_text(b"short")));
    let mut keyed = Array::default();
    (0..1_000)
        .for_each(|key| keyed.set(Probe::Text(format!("k{key}").as_bytes()), Value::Num(1.0)));
    let (dense, sparse) = (1_000 * size_of::<Value>(), 1_000 * size_of::<Entry>());
    assert!(
        (empty + dense..empty + 4 * dense).contains(&short.footprint()),
        "{}",
        short.footprint()
    );
    assert!(
        (empty + sparse..empty + 4 * sparse).contains(&keyed.footprint()),
        "{}",
        keyed.footprint()
    );

    let mut texts = Array::default();
    for key in 0..100 {
        let text = format!("a key that takes an allocation {key}");
        texts.set(Probe::Text(text.as_bytes()), Value::from_text(&[b'x'; 1_000]));
    }
    let held = texts.footprint();
    assert!((empty + 100_000..empty + 140_000).contains(&held), "{held}");

    let mut outer = Array::default();
    for key in 1..=3 {
        let inner = new_array();
        *inner.borrow_mut() = numbers(1_000);
        outer.set(Probe::Int(key), Value::Array(inner));
    }
    let nested = outer.footprint();
    assert!(
        (3 * large + empty..3 * large + empty + 1_000).contains(&nested),
        "{nested} of {large}"
    );
}

#[test]
fn what_is_counted_is_let_go_with_the_array_and_when_it_is_emptied() {
    let inner = new_array();
    let array = new_array();
    let fill = || {
        for key in 0..9 {
            array.borrow_mut().set(Probe::Int(key), Value::Num(key as f64));
        }
        array.borrow_mut().set(Probe::Int(4), Value::Array(Rc::clone(&inner)));
        array.borrow_mut().remove(Probe::Int(6));
    };
    fill();
    assert_eq!(Rc::strong_count(&inner), 2);
    array.borrow_mut().clear();
    assert_eq!((Rc::strong_count(&inner), array.borrow().len()), (1, 0));
    fill();
    drop(array);
    assert_eq!(Rc::strong_count(&inner), 1);
}
