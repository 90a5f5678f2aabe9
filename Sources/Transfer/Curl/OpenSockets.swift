internal import CCurl
internal import Glibc
internal import Platform

/// The sockets of the transfers of one thread.
///
/// libcurl reads a connection as long as there is data: endless frames of HTTP/2 that carry nothing keep it in one
/// call, and with it all transfers and their cancellation. So another thread can shut the connections down.
final class OpenSockets: Sendable {
    private let descriptors = Monitor<Set<CInt>>([])

    /// Opens a socket for libcurl; see socket(2).
    func open(_ family: CInt, _ type: CInt, _ protocol: CInt) -> CInt {
        let descriptor = socket(family, type | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
        descriptors.withLock { if descriptor >= 0 { $0.insert(descriptor) } }
        return descriptor
    }

    /// Closes a socket when libcurl no longer needs it; the lock keeps its number from another file meanwhile.
    func close(_ descriptor: CInt) -> CInt {
        descriptors.withLock { descriptors in
            descriptors.remove(descriptor)
            return Glibc.close(descriptor)
        }
    }

    /// Ends all connections; any thread may call it.
    func shutDown() {
        descriptors.withLock { descriptors in
            for descriptor in descriptors { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
    }
}
