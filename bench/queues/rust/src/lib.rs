//! Contenders that are Rust crates: iceoryx2's publish-subscribe, its bare queue between one sender and one receiver, and a
//! disruptor. Each is a `Contender` of `../contender.h`, a static that `../harness.c` is linked with.

mod contender;
mod disruptor;
mod publish_subscribe;
mod spsc;
