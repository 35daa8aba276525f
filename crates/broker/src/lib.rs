//! The broker of message queues (`fathom broker`): programs that have nothing in common meet by names. It decides who may reach
//! whom and with which source, passes on the descriptors by which two programs make a channel, tells each of the end of the other,
//! and lists. It maps no memory and sees no message. docs/queues.md is for users; `runtime/msg/broker_wire.h` has the protocol.
//!
//! `config` is what the administrator says; `state` decides, without a socket; `server` has the sockets, and `client` is the other end for
//! `fathom queues`.

mod aside;
pub mod client;
pub mod config;
mod gauge;
mod memory;
pub mod names;
pub mod server;
mod socket;
mod state;
pub mod wire;

pub use socket::{default_socket, listen, look, Listening};
