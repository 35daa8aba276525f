//! What constants and string literals spell: values, types, characters.

use crate::consteval::Value;
use crate::*;

/// A number token: its value and type. `None` if it is malformed (the C compiler reports it).
pub(crate) fn number(text: &str) -> Option<Value> {
    let b = text.as_bytes();
    let lower = |i: usize| b.get(i).map_or(0, |c| c.to_ascii_lowercase());
    let (radix, digits) = match (lower(0), lower(1)) {
        (b'0', b'x') => (16, &text[2..]),
        (b'0', b'b') => (2, &text[2..]),
        (b'0', _) => (8, text),
        _ => (10, text),
    };
    let is_float = if radix == 16 {
        digits.contains(['.', 'p', 'P'])
    } else {
        digits.contains('.') || (radix != 2 && digits.contains(['e', 'E']))
    };
    if is_float {
        return float(text, radix == 16);
    }
    let end = digits.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let mut v: u128 = 0;
    for c in digits.chars() {
        let d = c.to_digit(radix)?;
        v = v.checked_mul(radix as u128)?.checked_add(d as u128)?;
    }
    let (mut unsigned, mut longs, mut imaginary) = (false, 0, false);
    for c in suffix.chars() {
        match c {
            'u' | 'U' => unsigned = true,
            'l' | 'L' => longs += 1,
            'i' | 'j' | 'I' | 'J' => imaginary = true,
            _ => return None,
        }
    }
    if imaginary {
        return None;
    }
    let fits = |max: u128| v <= max;
    let decimal = radix == 10;
    let ty = if longs == 0 && !unsigned && fits(i32::MAX as u128) {
        Ty::INT
    } else if longs == 0 && (unsigned || !decimal) && fits(u32::MAX as u128) {
        Ty::UINT
    } else if !unsigned && fits(i64::MAX as u128) {
        if longs == 2 {
            Ty::LONGLONG
        } else {
            Ty::LONG
        }
    } else if (unsigned || !decimal) && fits(u64::MAX as u128) {
        if longs == 2 {
            Ty::ULONGLONG
        } else {
            Ty::ULONG
        }
    } else if fits(u64::MAX as u128) {
        // gcc: a decimal constant too large for long long is __int128.
        Ty::INT128
    } else {
        return None;
    };
    Some(Value::Int(v as i128, ty))
}

fn float(text: &str, hex: bool) -> Option<Value> {
    let body = text.trim_end_matches(|c: char| {
        c.is_ascii_alphabetic() && !(hex && c.is_ascii_hexdigit() && !text.contains(['p', 'P']))
    });
    // A hexadecimal constant needs its exponent, whose digits end it, so an `f` after them is the suffix.
    let suffix = text[body.len()..].to_ascii_lowercase();
    let ty = match suffix.as_str() {
        "" => Ty::DOUBLE,
        "f" => Ty::FLOAT,
        "l" => Ty::LONGDOUBLE,
        "q" => Ty::FLOAT128,
        _ => return None,
    };
    let v = if hex { hex_float(&body[2..])? } else { body.parse().ok()? };
    Some(Value::Float(v, ty))
}

fn hex_float(s: &str) -> Option<f64> {
    let (mantissa, exp) = s.split_once(['p', 'P'])?;
    let exp: i32 = exp.parse().ok()?;
    let (mut v, mut scale, mut fraction) = (0f64, 0i32, false);
    for c in mantissa.chars() {
        if c == '.' {
            fraction = true;
            continue;
        }
        v = v * 16.0 + c.to_digit(16)? as f64;
        if fraction {
            scale = scale.saturating_sub(4);
        }
    }
    Some(v * 2f64.powi(exp.saturating_add(scale)))
}

/// Characters of one literal: the text after its prefix and opening quote up to the closing one.
pub(crate) struct Literal<'a> {
    /// "", "L", "u", "U" or "u8".
    pub prefix: &'a str,
    pub body: &'a str,
}

pub(crate) fn literal(text: &str) -> Literal<'_> {
    let open = text.find(['"', '\'']).unwrap_or(0);
    let body = text.get(open + 1..).unwrap_or("");
    let body = body.strip_suffix(['"', '\'']).unwrap_or(body);
    Literal { prefix: &text[..open], body }
}

/// Calls `each` with the value of every execution character; `wide` literals count code points, others bytes.
pub(crate) fn each_char(body: &str, wide: bool, mut each: impl FnMut(u32)) {
    let mut it = body.chars().peekable();
    while let Some(c) = it.next() {
        if c != '\\' {
            if wide {
                each(c as u32);
            } else {
                let mut buf = [0; 4];
                c.encode_utf8(&mut buf).bytes().for_each(|b| each(b as u32));
            }
            continue;
        }
        let Some(e) = it.next() else { break };
        let v = match e {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\n' => continue,
            '0'..='7' => {
                let mut v = e as u32 - '0' as u32;
                for _ in 0..2 {
                    match it.peek().and_then(|c| c.to_digit(8)) {
                        Some(d) => {
                            v = v * 8 + d;
                            it.next();
                        }
                        None => break,
                    }
                }
                v
            }
            'x' => {
                let mut v = 0u32;
                while let Some(d) = it.peek().and_then(|c| c.to_digit(16)) {
                    v = v.wrapping_mul(16).wrapping_add(d);
                    it.next();
                }
                v
            }
            'u' | 'U' => {
                let mut v = 0u32;
                for _ in 0..if e == 'u' { 4 } else { 8 } {
                    match it.peek().and_then(|c| c.to_digit(16)) {
                        Some(d) => {
                            v = v.wrapping_mul(16).wrapping_add(d);
                            it.next();
                        }
                        None => break,
                    }
                }
                if !wide {
                    let mut buf = [0; 4];
                    let s = char::from_u32(v).unwrap_or('?').encode_utf8(&mut buf);
                    s.bytes().for_each(|b| each(b as u32));
                    continue;
                }
                v
            }
            c => c as u32,
        };
        each(v);
    }
}

pub(crate) fn character(text: &str, target: Target) -> Value {
    let l = literal(text);
    if l.prefix.is_empty() || l.prefix == "u8" {
        let (mut v, mut n) = (0i32, 0);
        each_char(l.body, false, |c| {
            v = v.wrapping_shl(8) | (c as i32 & 0xff);
            n += 1;
        });
        let one = if target.char_is_signed { v as i8 as i128 } else { v as u8 as i128 };
        return Value::Int(if n == 1 { one } else { v as i128 }, Ty::INT);
    }
    let mut v = 0;
    each_char(l.body, true, |c| v = c);
    match l.prefix {
        "u" => Value::Int(v as u16 as i128, Ty::USHORT),
        "U" => Value::Int(v as i128, Ty::UINT),
        _ if target.wchar_is_signed => Value::Int(v as i32 as i128, Ty::INT),
        _ => Value::Int(v as i128, Ty::UINT),
    }
}
