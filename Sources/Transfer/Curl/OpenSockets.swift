internal import CCurl
internal import Glibc
internal import Synchronization

/// The sockets of the transfers of one thread.
///
/// libcurl reads a connection as long as there is data: endless frames of HTTP/2 that carry nothing keep it in one
/// call, and with it all transfers and their cancellation. So another thread can shut the connections down.
///
/// libcurl closes the socket of a connection that was never established without its callback. The number may be that of
/// another file afterwards, so a socket is identified by its inode, too.
final class OpenSockets: Sendable {
    /// The inode of each socket, by its descriptor.
    private let inodes = Mutex<[CInt: ino_t]>([:])

    /// Opens a socket for libcurl; see socket(2).
    func open(_ family: CInt, _ type: CInt, _ protocol: CInt) -> CInt {
        let descriptor = socket(family, type | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
        inodes.withLock { $0[descriptor] = Self.inode(of: descriptor) }
        return descriptor
    }

    /// Closes a socket when libcurl no longer needs it; the lock keeps its number from another file meanwhile.
    func close(_ descriptor: CInt) -> CInt {
        inodes.withLock { inodes in
            inodes[descriptor] = nil
            return Glibc.close(descriptor)
        }
    }

    /// Ends all connections; any thread may call it.
    func shutDown() {
        inodes.withLock { inodes in
            for (descriptor, inode) in inodes where Self.inode(of: descriptor) == inode {
                shutdown(descriptor, CInt(SHUT_RDWR))
            }
        }
    }

    /// `nil` if `descriptor` is not that of an open file.
    private static func inode(of descriptor: CInt) -> ino_t? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status.st_ino : nil
    }
}
