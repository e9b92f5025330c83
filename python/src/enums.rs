//! The package's enumerations, which are written in Python; their members are looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::arguments::Integer;
use crate::errors::out_of_range;

/// An `enum.IntEnum` of the package whose values count from 0.
pub struct IntEnum {
    module: &'static str,
    name: &'static str,
    members: PyOnceLock<Vec<Py<PyAny>>>,
}

pub static PLAYER: IntEnum = IntEnum::new("petteia", "Player");
pub static CELL: IntEnum = IntEnum::new("petteia.breakdown", "Cell");
pub static TURN: IntEnum = IntEnum::new("petteia.breakdown", "Turn");
pub static BREAKDOWN_OUTCOME: IntEnum = IntEnum::new("petteia.breakdown", "Outcome");
pub static REVERSI_PLAYER: IntEnum = IntEnum::new("petteia.reversi", "Player");

impl IntEnum {
    const fn new(module: &'static str, name: &'static str) -> Self {
        IntEnum { module, name, members: PyOnceLock::new() }
    }

    fn members(&self, py: Python<'_>) -> PyResult<&Vec<Py<PyAny>>> {
        self.members.get_or_try_init(py, || {
            let class = py.import(self.module)?.getattr(self.name)?;
            class.try_iter()?.map(|member| member.map(Bound::unbind)).collect()
        })
    }

    /// Returns the member with the given value.
    pub fn member(&self, py: Python<'_>, value: usize) -> PyResult<Py<PyAny>> {
        Ok(self.members(py)?[value].clone_ref(py))
    }

    /// Reads a member or its integer value.
    pub fn value(&self, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.named_value(self.name, given)
    }

    /// Reads a member or its integer value; a TypeError names the argument.
    pub fn named_value(&self, what: &str, given: &Bound<'_, PyAny>) -> PyResult<usize> {
        let count = self.members(given.py())?.len();
        let integer = given.extract::<Integer>()?.named(what)?;
        let known = integer.index().filter(|&value| value < count);
        known.ok_or_else(|| out_of_range(self.name, integer, format!("0 to {}", count - 1)))
    }
}
