//! The columns to write, and their header.
//!
//! [`ColumnUses`] determines both beforehand: assigned columns are appended, deleted ones left out,
//! and the first `print` gives the header, so it fits all rows.

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_syntax::{Cell, ColumnUses, Printed};

/// A file's column names, then the program's.
#[derive(Clone, Debug, Default)]
pub struct ColumnNames {
    /// Unique names, as the program uses them.
    pub unique: Vec<String>,
    /// Names in the header.
    pub titles: Vec<String>,
    /// How many the file has itself.
    pub own: usize,
}

/// A name in a written header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// The name.
    pub name: String,
    /// Its column, from 0, if it has one.
    pub column: Option<usize>,
}

impl ColumnNames {
    fn title_of(&self, column: Option<usize>) -> Option<Title> {
        let name = self.titles.get(column?)?.clone();
        Some(Title { name, column })
    }

    fn title(&self, cell: &Cell) -> Title {
        let (column, name) = match cell {
            Cell::Column(name) => {
                (self.unique.iter().position(|known| known == name), name.clone())
            }
            Cell::Field(n) => (n.checked_sub(1), format!("${n}")),
            Cell::Value(name) => (None, name.clone()),
        };
        self.title_of(column).unwrap_or(Title { name, column: None })
    }
}

/// The fields of a written row, if not all in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnLayout {
    fields: Vec<Option<usize>>,
    named: usize,
}

impl ColumnLayout {
    /// All columns except deleted ones; none if nothing changes.
    pub fn of(names: &ColumnNames, uses: &ColumnUses) -> Option<ColumnLayout> {
        let is_kept = |&field: &usize| !uses.deleted.contains(&names.unique[field]);
        let fields: Vec<Option<usize>> =
            (0..names.unique.len()).filter(is_kept).map(Some).collect();
        let is_whole = fields.len() == names.own && names.unique.len() == names.own;
        (!is_whole).then_some(ColumnLayout { fields, named: names.unique.len() })
    }

    /// The fields written, and how many columns have names.
    pub fn parts(&self) -> (&[Option<usize>], usize) {
        (&self.fields, self.named)
    }

    /// Of [`ColumnLayout::parts`]; none if a field has no name.
    pub fn from_parts(fields: Vec<Option<usize>>, named: usize) -> Option<ColumnLayout> {
        let is_named = fields.iter().flatten().all(|&field| field < named);
        is_named.then_some(ColumnLayout { fields, named })
    }

    /// The positions of another header's columns; none if unchanged.
    ///
    /// # Errors
    /// A column would be lost.
    pub fn under(
        header: &[String],
        names: &ColumnNames,
        own: Option<ColumnLayout>,
    ) -> Result<Option<ColumnLayout>, String> {
        let written: Vec<usize> = match &own {
            Some(layout) => layout.fields.iter().flatten().copied().collect(),
            None => (0..names.own).collect(),
        };
        let titles: Vec<&String> = written.iter().map(|&field| &names.titles[field]).collect();
        if titles.len() == header.len()
            && titles.iter().zip(header).all(|(title, name)| *title == name)
        {
            return Ok(own);
        }
        if let Some(lost) = titles.into_iter().find(|title| !header.contains(title)) {
            return Err(lost.clone());
        }
        let field_of =
            |name: &String| written.iter().copied().find(|&field| names.titles[field] == *name);
        Ok(Some(ColumnLayout {
            fields: header.iter().map(field_of).collect(),
            named: names.unique.len(),
        }))
    }

    /// The fields of a record with `count` fields.
    ///
    /// # Errors
    /// Some fields have no name, so no column.
    pub fn members(&self, count: usize) -> Fallible<Vec<Option<usize>>> {
        if count > self.named {
            return Err(too_long(count, self.named));
        }
        Ok(self.fields.clone())
    }
}

/// The error for a row with too many fields.
#[cold]
pub fn too_long(count: usize, named: usize) -> Fault {
    Fault::new(format!(
        "the row has {count} fields and the header {named} columns, and the program adds, deletes or moves columns: correct the row, or truncate it with NF = {named}"
    ))
}

/// The header of a `print`, and the width of each other that differs.
pub fn header(
    printed: &[Printed],
    names: &ColumnNames,
    layout: Option<&ColumnLayout>,
) -> (Vec<Title>, Option<usize>) {
    let whole = || -> Vec<Title> {
        match layout {
            Some(layout) => {
                layout.fields.iter().filter_map(|&column| names.title_of(column)).collect()
            }
            None => (0..names.own).filter_map(|column| names.title_of(Some(column))).collect(),
        }
    };
    let of = |printed: &Printed| match printed {
        Printed::Record => whole(),
        Printed::Row(cells) => cells.iter().map(|cell| names.title(cell)).collect(),
    };
    let first = printed.first().map_or_else(whole, of);
    let other = printed.iter().map(|printed| of(printed).len()).find(|&width| width != first.len());
    (first, other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(unique: &[&str], own: usize) -> ColumnNames {
        let unique: Vec<String> = unique.iter().map(|name| name.to_string()).collect();
        ColumnNames { titles: unique.clone(), unique, own }
    }

    fn deleting(names: &[&str]) -> ColumnUses {
        ColumnUses {
            deleted: names.iter().map(|name| name.to_string()).collect(),
            ..ColumnUses::default()
        }
    }

    #[test]
    fn what_is_made_comes_last_and_what_is_deleted_not_at_all() {
        assert_eq!(ColumnLayout::of(&names(&["a", "b"], 2), &deleting(&[])), None);
        let layout = ColumnLayout::of(&names(&["a", "b", "c"], 2), &deleting(&["a"])).unwrap();
        assert_eq!(layout.members(3).unwrap(), [Some(1), Some(2)]);
        assert!(layout.members(4).is_err());
        assert_eq!(
            ColumnLayout::of(&names(&["a", "b", "c"], 2), &deleting(&["c"])).unwrap().fields,
            [Some(0), Some(1)]
        );
    }

    #[test]
    fn columns_of_later_files_go_under_the_names_of_the_first() {
        let header = ["a", "b"].map(String::from);
        assert_eq!(ColumnLayout::under(&header, &names(&["a", "b"], 2), None), Ok(None));
        let moved = ColumnLayout::under(&header, &names(&["b"], 1), None).unwrap().unwrap();
        assert_eq!(moved.fields, [None, Some(0)]);
        assert_eq!(
            ColumnLayout::under(&header, &names(&["b", "z"], 2), None),
            Err("z".to_string())
        );
    }

    #[test]
    fn the_first_print_names_the_columns() {
        let all = names(&["a", "b"], 2);
        let titles = |printed: &[Printed]| {
            let (titles, other) = header(printed, &all, None);
            (titles.into_iter().map(|title| (title.name, title.column)).collect::<Vec<_>>(), other)
        };
        assert_eq!(titles(&[]), (vec![("a".into(), Some(0)), ("b".into(), Some(1))], None));
        let cells =
            [Cell::Column("b".into()), Cell::Field(1), Cell::Field(7), Cell::Value("n + 1".into())];
        let named = [("b", Some(1)), ("a", Some(0)), ("$7", None), ("n + 1", None)];
        let expected = named.map(|(name, column)| (name.to_string(), column)).to_vec();
        assert_eq!(titles(&[Printed::Row(cells.to_vec()), Printed::Record]), (expected, Some(2)));
    }
}
