//! What is known of columns.

use super::{Wire, WireError, WireReader, wire_enum, wire_struct};
use riverhawk_record::table::{
    ColumnLayout, ColumnNames, FileColumns, FileHeader, JsonForm, LineEnd, OutputFormat,
    Strictness, TableFormat, Tables,
};
use riverhawk_record::terminator::Terminator;

wire_struct!(ColumnNames { unique, titles, own });
wire_struct!(FileHeader { text, terminator, renamed });
wire_struct!(FileColumns {
    names,
    file,
    header,
    width,
    layout,
    line_end,
    written,
    whole,
    read,
    json_names,
    json_header,
});
wire_struct!(Tables { input, output, header, keep_header, strictness, edits });
wire_enum!(Strictness { Lenient, Warns, Refuses });
wire_enum!(JsonForm { Lines, Values });

impl Wire for ColumnLayout {
    fn write(&self, out: &mut Vec<u8>) {
        let (fields, named) = self.parts();
        fields.to_vec().write(out);
        named.write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<ColumnLayout, WireError> {
        let fields: Vec<Option<usize>> = Vec::read(from)?;
        ColumnLayout::from_parts(fields, usize::read(from)?).ok_or(WireError::Damaged)
    }
}

impl Wire for LineEnd {
    fn write(&self, out: &mut Vec<u8>) {
        (self.0 == b"\r\n").write(out);
    }

    fn read(from: &mut WireReader<'_>) -> Result<LineEnd, WireError> {
        Ok(if bool::read(from)? { LineEnd(b"\r\n") } else { LineEnd::default() })
    }
}

impl Wire for Terminator {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Terminator::None => out.push(0),
            Terminator::Byte(byte) => out.extend([1, *byte]),
            Terminator::Pair([first, second]) => out.extend([2, *first, *second]),
            Terminator::RowPair => out.push(3),
            Terminator::RowReturn => out.push(4),
            Terminator::Text => out.push(5),
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<Terminator, WireError> {
        Ok(match u8::read(from)? {
            0 => Terminator::None,
            1 => Terminator::Byte(u8::read(from)?),
            2 => Terminator::Pair([u8::read(from)?, u8::read(from)?]),
            3 => Terminator::RowPair,
            4 => Terminator::RowReturn,
            5 => Terminator::Text,
            _ => return Err(WireError::Damaged),
        })
    }
}

impl Wire for TableFormat {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            TableFormat::Csv { separator } => out.extend([0, *separator]),
            TableFormat::Tsv => out.push(1),
            TableFormat::Json(form) => {
                out.push(2);
                form.write(out);
            }
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<TableFormat, WireError> {
        Ok(match u8::read(from)? {
            0 => TableFormat::Csv { separator: u8::read(from)? },
            1 => TableFormat::Tsv,
            2 => TableFormat::Json(JsonForm::read(from)?),
            _ => return Err(WireError::Damaged),
        })
    }
}

/// Tables for people are never written in pieces.
impl Wire for OutputFormat {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            OutputFormat::Rows(format) => Some(*format).write(out),
            OutputFormat::Display(_) => None::<TableFormat>.write(out),
        }
    }

    fn read(from: &mut WireReader<'_>) -> Result<OutputFormat, WireError> {
        Option::read(from)?.map(OutputFormat::Rows).ok_or(WireError::Damaged)
    }
}
