//! `fathom broker`: the broker of message queues, and the units by which systemd starts it.

use clap::Args;
use fathom_broker::config::Config;
use fathom_broker::{default_socket, listen, look, server};
use fathom_toolchain::{Failure, Result};
use std::path::{Path, PathBuf};

/// Let programs that have nothing in common reach each other's message queues by name.
///
/// The broker runs in the foreground until a signal ends it. It says who may register, reach and list names, and hands over
/// descriptors; messages do not pass through it, and go on while it is restarted.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Listen here (default: FATHOM_BROKER, or $XDG_RUNTIME_DIR/fathom/broker.sock)
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// Serve all users of this computer, at /run/fathom/broker.sock
    #[arg(long)]
    system: bool,
    /// Who may do what, and how much (default: ~/.config/fathom/broker.toml, with --system /etc/fathom/broker.toml, if it exists)
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Check the configuration and the socket's place, and end
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Examples:
  fathom broker &                                  for this user's programs
  fathom queues --watch                            what is registered, and how full it is
  systemctl --user enable --now fathom-broker.socket    started when a program needs it ('fathom install' writes the units)
  sudo systemctl enable --now fathom-broker.socket      for all users

docs/queues.md describes the configuration.";

pub fn main(options: &Options) -> Result<()> {
    let config = match configuration(options) {
        Some(path) => Config::read(&path).map_err(Failure::new)?,
        None => Config::default(),
    };
    let named = std::env::var_os("FATHOM_BROKER").filter(|p| !p.is_empty() && !options.system).map(PathBuf::from);
    let socket = match options.socket.clone().or(named) {
        Some(path) => path,
        None => default_socket(options.system).map_err(Failure::new)?,
    };
    if options.check {
        println!("the configuration is valid; {}", look(&socket).map_err(Failure::new)?);
        return Ok(());
    }
    let listening = listen(&socket, options.system).map_err(Failure::new)?;
    let by = if listening.is_passed() { "on systemd's socket".into() } else { format!("at {}", socket.display()) };
    server::serve(&listening, config, || server::log(&format!("listening {by}"))).map_err(Failure::new)
}

/// The file that is named, or the usual one if it exists.
fn configuration(options: &Options) -> Option<PathBuf> {
    if options.config.is_some() {
        return options.config.clone();
    }
    let folder = match options.system {
        true => PathBuf::from("/etc"),
        false => {
            let set = |name| std::env::var_os(name).filter(|d| !d.is_empty()).map(PathBuf::from);
            set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?
        }
    };
    Some(folder.join("fathom/broker.toml")).filter(|path| path.exists())
}

/// Units for systemd: names below the prefix, and texts. Socket and service are named alike, so that the one starts the other.
pub fn units(prefix: &Path) -> Vec<(&'static str, String)> {
    let program = prefix.join("bin/fathom");
    let socket = |at: &str, mode: &str, folder_mode: &str, target: &str| {
        format!(
            "[Unit]\nDescription=Socket of Fathom's broker of message queues\n\n\
             [Socket]\nListenSequentialPacket={at}\nSocketMode={mode}\nDirectoryMode={folder_mode}\nRemoveOnStop=yes\n\n\
             [Install]\nWantedBy={target}\n"
        )
    };
    let service = |arguments: &str, more: &str| {
        format!(
            "[Unit]\nDescription=Fathom's broker of message queues\nDocumentation=man:fathom-broker(1)\n\
             Requires=fathom-broker.socket\n\n\
             [Service]\nExecStart=\"{}\" broker{arguments}\nRestart=on-failure\nLimitNOFILE=65536\n{more}",
            program.display()
        )
    };
    // It needs no rights: the kernel says who clients are, and the socket is systemd's. (PrivateUsers would hide them.)
    let confined = "DynamicUser=yes\nNoNewPrivileges=yes\nProtectSystem=strict\nProtectHome=yes\nPrivateNetwork=yes\n\
                    RestrictAddressFamilies=AF_UNIX\nMemoryDenyWriteExecute=yes\n";
    vec![
        ("share/systemd/user/fathom-broker.socket", socket("%t/fathom/broker.sock", "0600", "0700", "sockets.target")),
        ("share/systemd/user/fathom-broker.service", service("", "")),
        (
            "lib/systemd/system/fathom-broker.socket",
            socket("/run/fathom/broker.sock", "0666", "0755", "sockets.target"),
        ),
        ("lib/systemd/system/fathom-broker.service", service(" --system", confined)),
    ]
}
