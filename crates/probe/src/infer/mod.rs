//! From curves to what the machine is: pure functions, tested on machines whose truth is known.
