//! Sorting by a comparison that need not make sense: a program's own.

use riverhawk_memory as memory;
use std::cmp::Ordering;

/// The numbers from 0 to `count` in the order that `in_order` says of two of them: whether the
/// first may stay before the second. Halves are sorted and merged, as glibc's `qsort` does, so that
/// a program is asked about the pairs that gawk asks about, and it ends whatever the answers are.
///
/// # Errors
/// Those of `in_order`.
pub fn merge_sort<E>(
    count: usize,
    in_order: &mut impl FnMut(u32, u32) -> Result<bool, E>,
) -> Result<Vec<u32>, E> {
    let (mut numbers, mut merged) = (Vec::new(), Vec::new());
    if !memory::grow_exactly(&mut numbers, count) || !memory::grow_exactly(&mut merged, count) {
        return Ok(numbers);
    }
    numbers.extend(0..count as u32);
    sort_part(&mut numbers, &mut merged, in_order)?;
    Ok(numbers)
}

fn sort_part<E>(
    part: &mut [u32],
    merged: &mut Vec<u32>,
    in_order: &mut impl FnMut(u32, u32) -> Result<bool, E>,
) -> Result<(), E> {
    if part.len() < 2 {
        return Ok(());
    }
    let middle = part.len() / 2;
    sort_part(&mut part[..middle], merged, in_order)?;
    sort_part(&mut part[middle..], merged, in_order)?;
    merged.clear();
    let (mut left, mut right) = (0, middle);
    while left < middle && right < part.len() {
        if in_order(part[left], part[right])? {
            merged.push(part[left]);
            left += 1;
        } else {
            merged.push(part[right]);
            right += 1;
        }
    }
    merged.extend_from_slice(&part[left..middle]);
    // What is left on the right is in its place.
    part[..merged.len()].copy_from_slice(merged);
    Ok(())
}

/// Items sorted, or merged, between two questions whether memory has run out: a few milliseconds'.
const AT_ONCE: usize = 1 << 14;

/// Sorts by a total order in which no two items are equal. Once memory has run out, as which the
/// end of a run counts, some are in no order.
pub fn sort_distinct<T: Copy>(items: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    for piece in items.chunks_mut(AT_ONCE) {
        piece.sort_unstable_by(&mut compare);
        if memory::ran_out() {
            return;
        }
    }
    let mut merged = Vec::new();
    if items.len() <= AT_ONCE || !memory::grow_exactly(&mut merged, items.len()) {
        return;
    }
    let mut sorted = AT_ONCE;
    while sorted < items.len() {
        merged.clear();
        for pair in items.chunks(2 * sorted) {
            let (mut left, mut right) = pair.split_at(sorted.min(pair.len()));
            while let ([first, rest_left @ ..], [second, rest_right @ ..]) = (left, right) {
                if compare(first, second).is_lt() {
                    merged.push(*first);
                    left = rest_left;
                } else {
                    merged.push(*second);
                    right = rest_right;
                }
                if merged.len() % AT_ONCE == 0 && memory::ran_out() {
                    return;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(items, &mut merged);
        sorted *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_distinct_items_is_sorted() {
        for count in [0, 1, 2, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE, 5 * AT_ONCE + 3] {
            let count = count as u64;
            let mut items: Vec<u64> = (0..count).map(|n| n * 7919 % count).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            sort_distinct(&mut items, u64::cmp);
            assert_eq!(items, expected, "{count}");
        }
    }

    #[test]
    fn a_comparison_is_asked_about_the_pairs_that_gawk_asks_about() {
        let values = [4, 3, 2, 1, 0];
        let mut asked = Vec::new();
        let sorted = merge_sort::<()>(5, &mut |a, b| {
            asked.push((a + 1, b + 1));
            Ok(values[a as usize] <= values[b as usize])
        });
        assert_eq!(sorted, Ok(vec![4, 3, 2, 1, 0]));
        // As printed by gawk 5.2.1.
        assert_eq!(asked, [(1, 2), (4, 5), (3, 5), (3, 4), (2, 5), (2, 4), (2, 3)]);
    }

    #[test]
    fn a_comparison_that_makes_no_sense_ends_with_every_element_once() {
        for answers in
            [[true, true, true], [false, false, false], [true, false, true], [false, true, true]]
        {
            let mut turn = 0;
            let sorted = merge_sort::<()>(100, &mut |_, _| {
                turn += 1;
                Ok(answers[turn % 3])
            });
            let mut sorted = sorted.expect("no comparison failed");
            sorted.sort_unstable();
            assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        }
        assert_eq!(merge_sort::<&str>(2, &mut |_, _| Err("stop")), Err("stop"));
    }
}
