//! The figures of a part as its construction asks for them, each with its unit; names that nobody has asked for are errors.

use super::{Content, Description};
use crate::quantity::{self, Quantity, Unit};
use crate::similar::did_you_mean;
use crate::Time;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The word for a page that follows from page tables.
pub(super) const TABLES: &str = "tables";
/// The bits of the largest page that tables may ask for.
const LARGEST_PAGE: u32 = 30;

/// The figures of one part, as its construction asks for them.
pub struct Wanted<'a> {
    description: &'a Description,
    part: String,
    asked: RefCell<BTreeSet<String>>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(description: &'a Description, part: &str) -> Self {
        Wanted { description, part: part.into(), asked: RefCell::default() }
    }

    pub(super) fn full(&self, name: &str) -> String {
        self.asked.borrow_mut().insert(name.into());
        format!("{}.{name}", self.part)
    }

    /// Whether the description has this figure.
    pub fn has(&self, name: &str) -> bool {
        self.description.figure(&self.full(name)).is_ok()
    }

    fn of_unit(&self, name: &str, unit: Unit) -> Result<f64, String> {
        let full = self.full(name);
        let found = self.description.quantity(&full).map_err(|why| match self.description.figure(&full) {
            Ok(_) => why,
            // The file may have it by another name.
            Err(_) => why + &self.description.figure_like(&full),
        })?;
        if found.unit != unit {
            return Err(format!("figure `{full}` must be {unit}, not {}", found.unit));
        }
        if found.value < 0.0 {
            return Err(format!("figure `{full}` is negative"));
        }
        if let Some((least, most, words)) = quantity::bounds(unit) {
            // Also of what is not a number.
            if !(least..=most).contains(&found.value) {
                return Err(format!("figure `{full}` must be {words}"));
            }
        }
        Ok(found.value)
    }

    /// A time, rounded to whole picoseconds.
    ///
    /// # Errors
    /// The figure is missing, or has another unit. This holds for all of these functions.
    pub fn time(&self, name: &str) -> Result<Time, String> {
        self.of_unit(name, quantity::TIME).map(|ps| ps.round() as Time)
    }

    /// A time that is 0 if it is not described.
    pub fn time_or_zero(&self, name: &str) -> Result<Time, String> {
        if self.has(name) {
            self.time(name)
        } else {
            Ok(0)
        }
    }

    /// A rate, in bytes per picosecond, which is not 0.
    pub fn rate(&self, name: &str) -> Result<f64, String> {
        self.of_unit(name, quantity::RATE)
    }

    /// A time per byte, in picoseconds.
    pub fn time_per_byte(&self, name: &str) -> Result<f64, String> {
        self.of_unit(name, quantity::TIME_PER_BYTE)
    }

    /// A number of bytes on a wire, which need not be whole, besides what a message or a packet carries: at most 1 MB.
    pub fn fractional_bytes(&self, name: &str) -> Result<f64, String> {
        match self.of_unit(name, quantity::BYTES)? {
            bytes if bytes <= 1_048_576.0 => Ok(bytes),
            _ => Err(format!("figure `{}.{name}` must be at most 1 MB", self.part)),
        }
    }

    /// Whole numbers, each at least 1, in the form `16 x 8 x 8`.
    pub fn shape(&self, name: &str) -> Result<Vec<u32>, String> {
        let full = self.full(name);
        let numbers: Option<Vec<u32>> = match &self.description.figure(&full)?.value {
            Content::Text(shape) => shape.split('x').map(|n| n.trim().parse().ok().filter(|n| *n > 0)).collect(),
            _ => None,
        };
        // One number is a quantity, which may be changed.
        let numbers = match self.description.quantity(&full) {
            Ok(Quantity { value, unit: quantity::COUNT }) => Some(vec![value.round() as u32]).filter(|n| n[0] > 0),
            _ => numbers,
        };
        numbers.ok_or_else(|| format!("figure `{full}` must be whole numbers such as \"16 x 8 x 8\""))
    }

    /// A frequency, in cycles per picosecond.
    pub fn frequency(&self, name: &str) -> Result<f64, String> {
        self.of_unit(name, quantity::FREQUENCY)
    }

    /// A number of bytes or of things, at least 1.
    pub fn bytes(&self, name: &str) -> Result<u64, String> {
        let value = self.of_unit(name, quantity::BYTES)?;
        self.at_least_one(name, value)
    }

    pub fn count(&self, name: &str) -> Result<u64, String> {
        let value = self.of_unit(name, quantity::COUNT)?;
        self.at_least_one(name, value)
    }

    /// A number of places that this computer has to keep: 1 to 65,536.
    pub fn places(&self, name: &str) -> Result<usize, String> {
        match self.count(name)? {
            few @ ..=65_536 => Ok(few as usize),
            _ => Err(format!("figure `{}.{name}` must be at most 65,536", self.part)),
        }
    }

    /// The bytes of a cache with lines of `line` bytes, which this computer has to keep: at most 16,777,216 lines.
    pub fn cache_bytes(&self, name: &str, line: u64) -> Result<u64, String> {
        match self.bytes(name)? {
            bytes if bytes / line.max(1) <= 1 << 24 => Ok(bytes),
            _ => Err(format!("figure `{}.{name}` is more than 16,777,216 lines of {line} bytes", self.part)),
        }
    }

    fn at_least_one(&self, name: &str, value: f64) -> Result<u64, String> {
        if value < 1.0 {
            return Err(format!("figure `{}.{name}` must be at least 1", self.part));
        }
        Ok(value.round() as u64)
    }

    /// A number that must be a power of two. A changed description has the next power.
    pub fn power_of_two(&self, name: &str, value: u64) -> Result<u64, String> {
        if value.is_power_of_two() {
            Ok(value)
        } else {
            Err(format!("figure `{}.{name}` is {value}: it must be a power of two", self.part))
        }
    }

    /// A switch.
    pub fn switch(&self, name: &str) -> Result<bool, String> {
        let full = self.full(name);
        match self.description.figure(&full)?.value {
            Content::Switch(is_on) => {
                let is_on = is_on || self.description.with.contains(&full);
                Ok(is_on && !self.description.without.contains(&full))
            }
            _ => Err(format!("figure `{full}` must be true or false")),
        }
    }

    /// A word, one of `known`; its number among them.
    pub fn word(&self, name: &str, known: &[&str]) -> Result<usize, String> {
        let full = self.full(name);
        match &self.description.figure(&full)?.value {
            Content::Text(word) if known.contains(&word.as_str()) => {
                Ok(known.iter().position(|k| k == word).unwrap_or(0))
            }
            _ => Err(format!("figure `{full}` must be one of {}", known.join(", "))),
        }
    }

    /// The bytes of a page, a power of two: figure `page`, or, where that is the word `tables`, what page tables say. A
    /// page is then the least with which `levels` levels of tables, each table one page full of entries of `entry`
    /// bytes, reach addresses of `address_bits` bits.
    ///
    /// # Errors
    /// As above, or no page is large enough.
    pub fn page(&self) -> Result<u64, String> {
        if self.word("page", &[TABLES]).is_err() {
            return self.power_of_two("page", self.bytes("page")?);
        }
        let entry = self.power_of_two("entry", self.bytes("entry")?)?.trailing_zeros();
        let (levels, address) = (self.places("levels")? as u64, self.places("address_bits")? as u64);
        let reached = |page: u32| u64::from(page) + levels * u64::from(page - entry);
        let page = (entry..=LARGEST_PAGE).find(|page| reached(*page) >= address);
        page.map(|page| 1 << page).ok_or_else(|| {
            format!("the tables of `{}` reach {address} bits by no page of up to 2^{LARGEST_PAGE} bytes", self.part)
        })
    }

    /// Checks that every figure of the part was asked for.
    ///
    /// # Errors
    /// The name of one that was not.
    pub fn finish(self) -> Result<(), String> {
        let asked = self.asked.borrow();
        let unknown = self.description.figures_of(&self.part).and_then(|own| own.keys().find(|n| !asked.contains(*n)));
        match unknown {
            None => Ok(()),
            Some(name) => {
                let known: Vec<&str> = asked.iter().map(String::as_str).collect();
                let like = did_you_mean(name, known.iter().copied());
                Err(format!("`{}` has no figure `{name}`; it has {}{like}", self.part, known.join(", ")))
            }
        }
    }
}
