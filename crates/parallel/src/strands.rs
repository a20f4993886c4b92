//! Parcels by parts of their keys: large arrays are joined on many machines at once.
//!
//! Each *strand* of a parcel has the keys of some hashes, and the first has all else. Strands with the
//! same keys are joined as parcels are, by the same decisions, since these are about what all strands
//! of a parcel have: its pieces and what they noted. Each element knows its place among those of all
//! strands, so that joined strands become a parcel with its keys in the order in which they first
//! appeared.

use crate::distant::{Parcel, Segment};
use crate::element_order::ElementOrder;
use crate::plan::{Join, Plan};
use crate::portable::{Element, Key, Portable, PortableArray, Scalar};
use crate::results::{Firsts, Results};
use crate::wire::{WireError, checksum};

/// Elements of a piece.
const IN_A_PIECE: u32 = 40;

impl Parcel {
    /// Its strands; there are at least one.
    pub fn split(self, plan: &Plan, strands: usize) -> Vec<Parcel> {
        let strands = strands.max(1);
        let mut split: Vec<Parcel> = (0..strands).map(|_| Parcel::default()).collect();
        for segment in self.segments {
            for (parcel, strand) in split.iter_mut().zip(segment.split(plan, strands)) {
                parcel.segments.push(strand);
            }
        }
        split
    }

    /// The parcel of all of these strands.
    ///
    /// # Errors
    /// They are not those of one parcel.
    pub fn unite(strands: Vec<Parcel>) -> Result<Parcel, WireError> {
        let mut strands = strands.into_iter().map(|parcel| parcel.segments.into_iter());
        let Some(first) = strands.next() else { return Ok(Parcel::default()) };
        let mut others: Vec<_> = strands.collect();
        let mut segments = Vec::new();
        for segment in first {
            let others: Option<Vec<Segment>> = others.iter_mut().map(Iterator::next).collect();
            segments.push(segment.united(others.ok_or(WireError::Damaged)?)?);
        }
        match others.iter().all(|rest| rest.len() == 0) {
            true => Ok(Parcel { segments }),
            false => Err(WireError::Damaged),
        }
    }
}

fn is_joined_by_key(join: Join) -> bool {
    match join {
        Join::Sum
        | Join::Best { .. }
        | Join::First
        | Join::Last
        | Join::Concatenation
        | Join::Keys => true,
        // Never elsewhere: its output is dropped by the leader.
        Join::Constant | Join::Contents | Join::Follow(_) | Join::Distinct => false,
    }
}

impl Segment {
    fn split(mut self, plan: &Plan, strands: usize) -> Vec<Segment> {
        let first_place = self.pieces[0].number << IN_A_PIECE;
        let shares = plan.shares.iter().zip(&mut self.results.values);
        let mut arrays: Vec<Option<Vec<(PortableArray, ElementOrder)>>> = shares
            .map(|(share, value)| match value.take() {
                Some(Portable::Array(array)) if is_joined_by_key(share.join) => {
                    Some(array.split(first_place, strands))
                }
                other => {
                    *value = other;
                    None
                }
            })
            .collect();
        let mut split = Vec::with_capacity(strands);
        for strand in (0..strands).rev() {
            let mut segment = match strand {
                0 => Segment {
                    pieces: std::mem::take(&mut self.pieces),
                    results: std::mem::replace(&mut self.results, Results::of_nothing()),
                    printed: std::mem::take(&mut self.printed),
                    places: Vec::new(),
                },
                _ => Segment {
                    pieces: self.pieces.clone(),
                    results: self.results.without_values(),
                    printed: Vec::new(),
                    places: Vec::new(),
                },
            };
            segment.places = vec![None; segment.results.values.len()];
            for ((value, places), array) in
                segment.results.values.iter_mut().zip(&mut segment.places).zip(&mut arrays)
            {
                let Some((array, found)) = array.as_mut().and_then(Vec::pop) else { continue };
                // As where no key was made.
                *value = (!array.arrivals.is_empty()).then_some(Portable::Array(array));
                *places = Some(found);
            }
            split.push(segment);
        }
        split.reverse();
        split
    }

    /// With what the other strands have.
    fn united(mut self, others: Vec<Segment>) -> Result<Segment, WireError> {
        let mut places = std::mem::take(&mut self.places);
        places.resize(self.results.values.len(), None);
        let mut arrays: Vec<Vec<(PortableArray, ElementOrder)>> = Vec::new();
        for (value, places) in self.results.values.iter_mut().zip(places) {
            arrays.push(match (value.take(), places) {
                (Some(Portable::Array(array)), Some(places)) => vec![(array, places)],
                (other, _) => {
                    *value = other;
                    Vec::new()
                }
            });
        }
        for other in others {
            if other.pieces != self.pieces || other.results.values.len() != arrays.len() {
                return Err(WireError::Damaged);
            }
            for ((value, places), arrays) in
                other.results.values.into_iter().zip(other.places).zip(&mut arrays)
            {
                match (value, places) {
                    (Some(Portable::Array(array)), Some(places)) => arrays.push((array, places)),
                    (None, _) => {}
                    (Some(_), _) => return Err(WireError::Damaged),
                }
            }
        }
        for (value, arrays) in self.results.values.iter_mut().zip(arrays) {
            if arrays.is_empty() {
                continue;
            }
            if value.is_some() {
                return Err(WireError::Damaged);
            }
            *value = Some(Portable::Array(PortableArray::united(&arrays)?));
        }
        Ok(self)
    }

    /// The places of the elements of joined results, of which `self` came first.
    pub(crate) fn joined_places(
        &self,
        later: &Segment,
        joined: &Results,
    ) -> Vec<Option<ElementOrder>> {
        let shares = joined.values.iter().enumerate();
        shares
            .map(|(at, value)| {
                let places = |of: &Segment| of.places.get(at).cloned().flatten();
                let (mut all, of_later) = match (places(self), places(later)) {
                    (None, None) => return None,
                    (earlier, later) => (earlier.unwrap_or_default(), later.unwrap_or_default()),
                };
                let (Some(Portable::Array(joined)), Some(Portable::Array(array))) =
                    (value, later.results.values.get(at)?)
                else {
                    return Some(all);
                };
                // New keys are in the order of the later ones.
                let mut found = array.arrivals.iter().zip(of_later.0);
                for (key, _) in joined.arrivals.iter().skip(all.0.len()) {
                    let place = found.find(|((one, _), _)| array.key(one) == joined.key(key));
                    all.0.extend(place.map(|(_, place)| place));
                }
                Some(all)
            })
            .collect()
    }
}

impl Results {
    /// As those of the same pieces that made nothing of the variables.
    fn without_values(&self) -> Results {
        Results {
            output: Vec::new(),
            firsts: Firsts::default(),
            values: self.values.iter().map(|_| None).collect(),
            ranges: self.ranges.clone(),
            complaint: self.complaint.clone(),
            ..*self
        }
    }
}

impl PortableArray {
    /// The strands of its elements, with their places from `place` on.
    fn split(&self, place: u64, strands: usize) -> Vec<(PortableArray, ElementOrder)> {
        let mut split = vec![(PortableArray::default(), ElementOrder::default()); strands];
        let dense = (self.first..)
            .zip(&self.dense)
            .filter_map(|(at, slot)| Some((Key::Int(at), slot.clone()?)));
        for (at, (key, element)) in dense.chain(self.arrivals.iter().cloned()).enumerate() {
            let hash = match &key {
                Key::Int(integer) => checksum(&integer.to_le_bytes()),
                Key::Text(range) => checksum(&self.text[range.clone()]),
            };
            // The upper half is mixed best.
            let (strand, places) = &mut split[(hash >> 32) as usize % strands];
            strand.push(self, &key, &element);
            places.0.push(place + at as u64);
        }
        split
    }

    /// As what can be compared.
    fn key(&self, key: &Key) -> Result<i64, &[u8]> {
        match key {
            Key::Int(integer) => Ok(*integer),
            Key::Text(range) => Err(&self.text[range.clone()]),
        }
    }

    fn push(&mut self, from: &PortableArray, key: &Key, element: &Element) {
        let mut copy = |range: &std::ops::Range<usize>| {
            let start = self.text.len();
            self.text.extend_from_slice(&from.text[range.clone()]);
            start..self.text.len()
        };
        let key = match key {
            Key::Int(integer) => Key::Int(*integer),
            Key::Text(range) => Key::Text(copy(range)),
        };
        let element = match element {
            Scalar::Text(range) => Scalar::Text(copy(range)),
            Scalar::Input(range) => Scalar::Input(copy(range)),
            other => other.clone(),
        };
        self.arrivals.push((key, element));
    }

    /// All elements of strands, in the order of their places.
    fn united(strands: &[(PortableArray, ElementOrder)]) -> Result<PortableArray, WireError> {
        let mut order = Vec::new();
        for (strand, (array, places)) in strands.iter().enumerate() {
            if array.arrivals.len() != places.0.len() || !array.dense.is_empty() {
                return Err(WireError::Damaged);
            }
            order.extend(places.0.iter().zip(0..).map(|(place, at)| (*place, strand, at)));
        }
        order.sort_unstable();
        let mut united = PortableArray::default();
        for (_, strand, at) in order {
            let array = &strands[strand].0;
            let (key, element): &(Key, Element) = &array.arrivals[at];
            united.push(array, key, element);
        }
        Ok(united)
    }
}
