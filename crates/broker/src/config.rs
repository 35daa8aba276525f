//! The configuration file: who may do what with which names, and how much of everything a user may have. The first rule whose
//! pattern fits a name decides; without one, everybody may create the name, and the user who did may send to it and list it.
//! Root may do everything.

use crate::names::{gid_of, uid_of};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// How much a user may have at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Names that are registered.
    pub queues: u64,
    /// Programs that are connected to the broker.
    pub connections: u64,
    /// Rows that have been opened.
    pub lanes: u64,
    /// Shared memory that the broker has handed over.
    pub bytes: u64,
    /// Clients of one queue.
    pub lanes_per_queue: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { queues: 256, connections: 256, lanes: 4096, bytes: 4 << 30, lanes_per_queue: 512 }
    }
}

/// Someone whom a rule names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    Anyone,
    Owner,
    User(u32),
    Group(u32),
}

/// Who asks, as the kernel says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asker {
    pub uid: u32,
    pub gid: u32,
    pub groups: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pattern: glob::Pattern,
    create: Vec<Who>,
    send: Vec<Who>,
    list: Vec<Who>,
    lanes: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    Create,
    Send,
    List,
}

#[derive(Clone, Debug)]
pub struct Config {
    limits: Limits,
    users: BTreeMap<u32, Limits>,
    rules: Vec<Rule>,
    /// How often clients report how full their queues are; 0: never.
    pub sample_ms: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self { limits: Limits::default(), users: BTreeMap::new(), rules: vec![], sample_ms: 1000 }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    queues: Option<u64>,
    connections: Option<u64>,
    lanes: Option<u64>,
    bytes: Option<Bytes>,
    lanes_per_queue: Option<u64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Bytes {
    Number(u64),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRule {
    name: String,
    create: Option<Vec<String>>,
    send: Option<Vec<String>>,
    list: Option<Vec<String>>,
    lanes: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    sample_ms: Option<u64>,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    user: BTreeMap<String, RawLimits>,
    #[serde(default)]
    rule: Vec<RawRule>,
}

impl Config {
    /// Reads a file; the error names it, and the line.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        Self::parse(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let raw: Raw = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_string())?;
        let limits = merged(&Limits::default(), &raw.limits, "limits")?;
        let mut users = BTreeMap::new();
        for (name, own) in &raw.user {
            let uid = uid_of(name).ok_or_else(|| format!("[user.{name}]: there is no user '{name}'"))?;
            users.insert(uid, merged(&limits, own, &format!("user.{name}"))?);
        }
        let rules = raw.rule.iter().map(rule).collect::<Result<_, _>>()?;
        let sample_ms = raw.sample_ms.unwrap_or(Self::default().sample_ms);
        if sample_ms != 0 && !(10..=3_600_000).contains(&sample_ms) {
            return Err(format!("sample_ms: {sample_ms} is not valid (10 to 3600000, or 0 for never)"));
        }
        Ok(Self { limits, users, rules, sample_ms })
    }

    pub fn limits(&self, uid: u32) -> &Limits {
        self.users.get(&uid).unwrap_or(&self.limits)
    }

    fn rule_for(&self, name: &str) -> Option<&Rule> {
        self.rules.iter().find(|r| r.pattern.matches(name))
    }

    /// Clients that a queue of this owner may have.
    pub fn lanes_of(&self, name: &str, owner: u32) -> u64 {
        self.rule_for(name).and_then(|r| r.lanes).unwrap_or(self.limits(owner).lanes_per_queue)
    }

    /// `owner`: who has registered the name, or wants to.
    pub fn may(&self, right: Right, asker: &Asker, name: &str, owner: u32) -> bool {
        let usual = match right {
            Right::Create => [Who::Anyone],
            Right::Send | Right::List => [Who::Owner],
        };
        let whom = match (self.rule_for(name), right) {
            (None, _) => &usual[..],
            (Some(rule), Right::Create) => &rule.create,
            (Some(rule), Right::Send) => &rule.send,
            (Some(rule), Right::List) => &rule.list,
        };
        asker.uid == 0
            || whom.iter().any(|who| match who {
                Who::Anyone => true,
                Who::Owner => asker.uid == owner,
                Who::User(uid) => asker.uid == *uid,
                Who::Group(gid) => asker.gid == *gid || asker.groups.contains(gid),
            })
    }
}

fn merged(base: &Limits, raw: &RawLimits, place: &str) -> Result<Limits, String> {
    let bytes = match &raw.bytes {
        None => base.bytes,
        Some(Bytes::Number(n)) => *n,
        Some(Bytes::Text(text)) => bytes(text).ok_or_else(|| {
            format!("{place}.bytes: '{text}' is not a number of bytes (a number, or with K, M, G or T behind it)")
        })?,
    };
    let lanes_per_queue = raw.lanes_per_queue.unwrap_or(base.lanes_per_queue);
    if lanes_per_queue > 512 {
        return Err(format!("{place}.lanes_per_queue: {lanes_per_queue} is more than a queue can have (512)"));
    }
    Ok(Limits {
        queues: raw.queues.unwrap_or(base.queues),
        connections: raw.connections.unwrap_or(base.connections),
        lanes: raw.lanes.unwrap_or(base.lanes),
        bytes,
        lanes_per_queue,
    })
}

fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let shift = match text.chars().last()? {
        'K' | 'k' => 10,
        'M' | 'm' => 20,
        'G' | 'g' => 30,
        'T' | 't' => 40,
        _ => 0,
    };
    let digits = if shift == 0 { text } else { &text[..text.len() - 1] };
    digits.trim().parse::<u64>().ok()?.checked_mul(1 << shift)
}

fn rule(raw: &RawRule) -> Result<Rule, String> {
    let place = format!("the rule for '{}'", raw.name);
    let pattern = glob::Pattern::new(&raw.name).map_err(|e| format!("{place}: the pattern is not valid: {e}"))?;
    if raw.name.is_empty() {
        return Err("a rule with name = \"\" fits no name: write a name, or a pattern as \"db.*\" or \"*\"".into());
    }
    let whom = |list: &Option<Vec<String>>, usual: Who, key: &str| match list {
        None => Ok(vec![usual]),
        Some(list) => list.iter().map(|text| who(text).map_err(|why| format!("{place}, {key}: {why}"))).collect(),
    };
    if raw.lanes.is_some_and(|n| n > 512) {
        return Err(format!("{place}, lanes: more than a queue can have (512)"));
    }
    Ok(Rule {
        pattern,
        create: whom(&raw.create, Who::Anyone, "create")?,
        send: whom(&raw.send, Who::Owner, "send")?,
        list: whom(&raw.list, Who::Owner, "list")?,
        lanes: raw.lanes,
    })
}

fn who(text: &str) -> Result<Who, String> {
    match text.split_once(':') {
        None if text == "anyone" => Ok(Who::Anyone),
        None if text == "owner" => Ok(Who::Owner),
        Some(("user", name)) => uid_of(name).map(Who::User).ok_or_else(|| format!("there is no user '{name}'")),
        Some(("group", name)) => gid_of(name).map(Who::Group).ok_or_else(|| format!("there is no group '{name}'")),
        _ => Err(format!("'{text}' is nobody: write \"anyone\", \"owner\", \"user:NAME\" or \"group:NAME\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(uid: u32, groups: &[u32]) -> Asker {
        Asker { uid, gid: 100, groups: groups.to_vec() }
    }

    #[test]
    fn without_a_rule_everybody_creates_and_the_owner_sends() {
        let config = Config::default();
        assert!(config.may(Right::Create, &asker(5, &[]), "sums", 5));
        assert!(config.may(Right::Send, &asker(5, &[]), "sums", 5));
        assert!(!config.may(Right::Send, &asker(6, &[]), "sums", 5));
        assert!(!config.may(Right::List, &asker(6, &[]), "sums", 5));
        assert!(config.may(Right::List, &asker(0, &[]), "sums", 5), "root");
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let config = Config::parse(
            "sample_ms = 20\n[limits]\nqueues = 3\nbytes = \"2M\"\n[user.root]\nlanes = 9\n\
             [[rule]]\nname = \"db.*\"\ncreate = [\"user:7\"]\nsend = [\"group:44\", \"user:8\"]\nlist = [\"anyone\"]\nlanes = 2\n\
             [[rule]]\nname = \"*\"\nsend = [\"anyone\"]\n",
        )
        .expect("valid");
        assert!(!config.may(Right::Create, &asker(5, &[]), "db.a", 5));
        assert!(config.may(Right::Create, &asker(7, &[]), "db.a", 7));
        assert!(config.may(Right::Send, &asker(5, &[44]), "db.a", 7));
        assert!(config.may(Right::Send, &asker(8, &[]), "db.a", 7));
        assert!(!config.may(Right::Send, &asker(5, &[45]), "db.a", 7));
        assert!(!config.may(Right::Send, &asker(7, &[]), "db.a", 7), "the owner is named by no rule here");
        assert!(config.may(Right::List, &asker(5, &[]), "db.a", 7));
        assert!(
            config.may(Right::Send, &asker(5, &[]), "other", 7)
                && config.may(Right::Create, &asker(5, &[]), "other", 5)
        );
        assert_eq!((config.lanes_of("db.a", 7), config.lanes_of("x", 7), config.sample_ms), (2, 512, 20));
        assert_eq!((config.limits(0).lanes, config.limits(0).queues, config.limits(5).bytes), (9, 3, 2 << 20));
    }

    #[test]
    fn an_error_says_what_is_wrong_where() {
        for (text, words) in [
            ("[limits]\nqueus = 3\n", &["line 2", "queus", "queues"][..]),
            ("[limits]\nqueues = \"many\"\n", &["line 2", "u64"]),
            ("[limits]\nbytes = \"2 cups\"\n", &["limits.bytes", "2 cups", "K, M, G"]),
            ("[limits]\nlanes_per_queue = 513\n", &["513", "512"]),
            ("[user.\"no such\"]\n", &["no user 'no such'"]),
            ("[[rule]]\nname = \"a\"\nsend = [\"group:no such\"]\n", &["rule for 'a', send", "no group 'no such'"]),
            ("[[rule]]\nname = \"a\"\nsend = [\"everyone\"]\n", &["'everyone'", "anyone"]),
            ("[[rule]]\nname = \"a[\"\n", &["pattern"]),
            ("[[rule]]\nsend = [\"anyone\"]\n", &["name"]),
            ("[[rule]]\nname = \"\"\n", &["fits no name", "pattern"]),
            ("[[rule]]\nname = \"a\"\nsend = \"anyone\"\n", &["line 3"]),
            ("sample_ms = 1\n", &["sample_ms", "10 to"]),
            ("limits = \n", &["line 1"]),
        ] {
            let why = Config::parse(text).expect_err(text);
            assert!(words.iter().all(|w| why.contains(w)), "{text}: {why}");
        }
    }
}
