use fathom_queue::{Endpoint, Error};

fn main() -> Result<(), Error> {
    let endpoint = Endpoint::new()?;
    let (inbox, out) = (endpoint.queue(0, 0)?, endpoint.transmit(0, 8)?);
    out.connect(3, &inbox, 77)?; // until out.disconnect(3)
    out.send(3, 5, b"some bytes")?;
    if let Some(message) = inbox.receive() {
        println!("{:?} from {}", message.data(), message.source());
    }
    Ok(())
}
