//! Where in a TOML document something stands.

use std::collections::HashMap;

use pyo3::prelude::*;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Give the line of each key of a TOML document, and of each element of a list.
///
/// Parameters
/// ----------
/// text
///     The document.
///
/// Returns
/// -------
/// dict
///     Lines from 1 on, by path: ``profile[1].blocks``. Empty where the text is no TOML.
#[pyfunction]
pub(crate) fn toml_lines(text: &str) -> HashMap<String, usize> {
    let mut lines = Lines {
        text,
        found: HashMap::new(),
    };
    if let Ok(document) = DeTable::parse(text) {
        lines.table("", document.get_ref());
    }
    lines.found
}

struct Lines<'a> {
    text: &'a str,
    found: HashMap<String, usize>,
}

impl Lines<'_> {
    fn table(&mut self, path: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let dot = if path.is_empty() { "" } else { "." };
            self.entry(format!("{path}{dot}{}", key.get_ref()), key.span().start, value);
        }
    }

    fn entry(&mut self, path: String, start: usize, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.table(&path, table),
            DeValue::Array(values) => {
                for (at, value) in values.iter().enumerate() {
                    self.entry(format!("{path}[{at}]"), value.span().start, value);
                }
            }
            _ => {}
        }
        let before = &self.text.as_bytes()[..start];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        self.found.insert(path, line);
    }
}
