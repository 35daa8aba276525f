//! The processor time of other programs during measurements on this computer, and the program that used most.
//!
//! The system's counts of busy time do not distinguish them from the probers; the counts of each process do. A prober is not always
//! a descendant of this process: launchers start threads for other computers by daemons, whose parent is the system's
//! first process, and such a computer can be a container or a namespace on this one. So a process is also ours if its
//! environment says so ([`JOB`]).

use std::collections::{HashMap, HashSet};

/// A variable in the environment of all probers: the number of the process that measures with them.
pub const JOB: &str = "FATHOM_PROBE_JOB";

/// The processor time so far of all processes except this one, its descendants and its probers.
#[derive(Default)]
pub struct Others(HashMap<u32, Process>);

#[derive(Clone, Debug, PartialEq)]
struct Process {
    name: String,
    parent: u32,
    /// The time of its start, because process numbers are reused.
    start: u64,
    /// Ticks that it used, and its children that have ended.
    ticks: i64,
}

impl Others {
    pub fn now() -> Others {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = entries.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
        let stat = |id| of_stat(&std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?);
        let all: HashMap<u32, Process> = numbers.filter_map(|id| Some((id, stat(id)?))).collect();
        let own = std::process::id();
        let probers = all.keys().copied().filter(|id| is_of_job(*id, own)).collect();
        Others::without(all, own, &probers)
    }

    fn without(mut all: HashMap<u32, Process>, own: u32, probers: &HashSet<u32>) -> Others {
        let parents: HashMap<u32, u32> = all.iter().map(|(id, p)| (*id, p.parent)).collect();
        // A chain has at most as many links as there are processes.
        let is_ours = |id: u32| {
            let mut chain = std::iter::successors(Some(id), |id| parents.get(id).copied()).take(parents.len() + 1);
            chain.any(|id| id == own || probers.contains(&id))
        };
        all.retain(|id, _| !is_ours(*id));
        Others(all)
    }

    /// Seconds of processors since `before`, and the name of the program that used most of them.
    pub fn since(&self, before: &Others) -> (f64, Option<String>) {
        // When a process ends, its time is added to its parent's: it stays in the sum, but does not count as the
        // parent's own.
        let sum = |them: &Others| them.0.values().map(|p| p.ticks).sum::<i64>();
        let ticks = (sum(self) - sum(before)).max(0);
        let mut had: HashMap<u32, i64> = self.0.iter().map(|(id, p)| (*id, p.ticks)).collect();
        for (id, then) in &before.0 {
            let is_there = self.0.get(id).is_some_and(|now| now.start == then.start);
            if let Some(had) = had.get_mut(if is_there { id } else { &then.parent }) {
                *had -= then.ticks;
            }
        }
        let most = had.into_iter().max_by_key(|(_, ticks)| *ticks).filter(|(_, ticks)| *ticks > 0);
        let name = most.and_then(|(id, _)| Some(self.0.get(&id)?.name.clone()));
        // SAFETY: sysconf takes a number.
        let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1);
        (ticks as f64 / a_second as f64, name)
    }
}

/// Whether the environment with which a process was started names this job. Other users' is not readable.
fn is_of_job(id: u32, own: u32) -> bool {
    let entry = format!("{JOB}={own}");
    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == entry.as_bytes())
}

/// `4711 (name of a program) S 1 …`, proc(5): 4 ppid, 14 to 17 utime, stime, cutime, cstime, 22 starttime.
fn of_stat(text: &str) -> Option<Process> {
    let (head, rest) = text.rsplit_once(')')?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number = |field: usize| words.get(field - 3)?.parse::<i64>().ok();
    Some(Process {
        name: head.split_once('(')?.1.to_string(),
        parent: number(4)?.try_into().ok()?,
        start: number(22)?.try_into().ok()?,
        ticks: number(14)? + number(15)? + number(16)? + number(17)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(name: &str, parent: u32, ticks: i64) -> Process {
        Process { name: name.into(), parent, start: 5, ticks }
    }

    #[test]
    fn a_line_of_the_system_is_read_whatever_the_name() {
        let line = "42 (a (b) c) S 7 1 1 0 -1 4194560 100 0 0 0 10 20 3 4 20 0 1 0 5 1000 2";
        assert_eq!(of_stat(line), Some(process("a (b) c", 7, 37)));
        assert_eq!(of_stat("42 (x) S 7"), None);
    }

    #[test]
    fn what_we_start_is_not_counted_and_what_others_start_is() {
        let before = Others::without(
            HashMap::from([
                (1, process("init", 0, 100)),
                (2, process("make", 1, 10)),
                (3, process("cc1", 2, 50)),
                (8, process("fathom", 1, 5)),
                (9, process("fathom-prober", 8, 70)),
            ]),
            8,
            &HashSet::new(),
        );
        let second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        let after = Others::without(
            HashMap::from([
                (1, process("init", 0, 100)),
                (2, process("make", 1, 60 + 3 * second)), // its child has ended
                (4, process("cc1", 2, second)),
                (8, process("fathom", 1, 5)),
                (9, process("fathom-prober", 8, 9000)),
                (10, process("mpirun", 9, 9000)),
                (11, process("fathom-prober", 1, 9000)), // a daemon has started it
                (12, process("child", 11, 9000)),
            ]),
            8,
            &HashSet::from([11]),
        );
        assert_eq!(after.since(&before), (4.0, Some("make".into())));
        assert_eq!(before.since(&before), (0.0, None));
        let ended = Others(HashMap::from([(1, process("init", 0, 100)), (2, process("make", 1, 61))]));
        assert_eq!(ended.since(&before).1, Some("make".into()));
        assert!(ended.since(&before).0 < 1.0, "what it had before is counted");
    }

    #[test]
    fn a_prober_that_a_daemon_has_started_is_known_by_its_environment() {
        let sleeps = |job: u32| {
            let orphan = "sleep 60 >/dev/null 2>&1 & echo $!";
            let command = std::process::Command::new("sh").args(["-c", orphan]).env(JOB, job.to_string()).output();
            String::from_utf8(command.unwrap().stdout).unwrap().trim().parse::<u32>().unwrap()
        };
        let own = std::process::id();
        let (ours, anothers) = (sleeps(own), sleeps(own + 1));
        let now = Others::now();
        let is_other = [ours, anothers].map(|id| now.0.contains_key(&id));
        for id in [ours, anothers] {
            // SAFETY: a number; the process is this test's.
            unsafe { libc::kill(id as i32, libc::SIGKILL) };
        }
        assert_eq!(is_other, [false, true]);
    }

    #[test]
    fn this_process_is_none_of_the_others() {
        let now = Others::now();
        assert!(!now.0.contains_key(&std::process::id()));
        assert!(now.0.contains_key(&unsafe { libc::getppid() as u32 }));
    }
}
