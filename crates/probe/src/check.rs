//! `fathom probe --check`: a profile beside what the operating system claims (sysfs, cpuid).
