/// Writes the index of every set bit of `marks` to `places`, in order, and returns their number.
///
/// Reading this list costs a load per place; taking bits off a word costs eight operations and a
/// branch that lines of varying length mispredict.
///
/// # Panics
/// If `marks` has more than 1,024 words, or `places` lacks [`PLACES_SLACK`](crate::PLACES_SLACK)
/// elements after those for the bits.
pub fn gather_places(marks: &[u64], places: &mut [u16]) -> usize {
    assert!(marks.len() <= 1024, "{} mark words, of at most 1,024", marks.len());
    crate::kernels::gather_places(marks, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PLACES_SLACK;
    use proptest::prelude::*;

    fn both(marks: &[u64]) {
        let bits: usize = marks.iter().map(|word| word.count_ones() as usize).sum();
        let mut fast = vec![0x5555; bits + PLACES_SLACK];
        let mut slow = vec![0x5555; bits];
        assert_eq!(gather_places(marks, &mut fast), bits);
        assert_eq!(crate::naive::gather_places(marks, &mut slow), bits);
        assert_eq!(fast[..bits], slow);
        let mut baseline = vec![0; bits + PLACES_SLACK];
        assert_eq!(crate::portable::gather_places(marks, &mut baseline), bits);
        assert_eq!(baseline[..bits], slow);
    }

    #[test]
    fn full_and_empty_words_gather_as_the_twin() {
        for words in 0..5 {
            both(&vec![!0; words]);
            both(&vec![0; words]);
            both(&vec![1 << 63; words]);
            both(&vec![0x8000_0000_0000_0001; words]);
        }
        both(&[!0; 1024]);
    }

    #[test]
    #[should_panic(expected = "room for the places")]
    fn too_little_room_is_refused() {
        gather_places(&[!0], &mut [0; 63]);
    }

    proptest! {
        #[test]
        fn places_equal_the_twin(marks in proptest::collection::vec(any::<u64>(), 0..65), thin: u64) {
            both(&marks);
            both(&marks.iter().map(|word| word & thin).collect::<Vec<_>>());
        }
    }
}
