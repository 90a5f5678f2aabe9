internal import Glibc
internal import Platform

/// The sockets that the transfers of one thread opened; libcurl closes them.
final class OpenSockets: Sendable {
    private struct Socket {
        let descriptor: CInt
        /// Of another socket, once libcurl closed this one.
        let inode: UInt

        var isOpen: Bool { inodeOfSocket(descriptor) == inode }
    }

    private let sockets = Monitor([Socket]())

    /// Opens a socket; see socket(2).
    func open(_ family: CInt, _ type: CInt, _ protocol: CInt) -> CInt {
        let descriptor = Glibc.socket(family, type | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
        let inode = inodeOfSocket(descriptor)
        sockets.withLock { sockets in
            sockets.removeAll { !$0.isOpen }
            if let inode { sockets.append(Socket(descriptor: descriptor, inode: inode)) }
        }
        return descriptor
    }

    /// The socket that is bound to `port` on this machine, -1 for none.
    func socket(at port: CInt) -> CInt {
        sockets.withLock { sockets in
            sockets.last { $0.isOpen && localPort($0.descriptor) == port }?.descriptor ?? -1
        }
    }

    /// Ends all connections; any thread may call it.
    func shutDown() {
        sockets.withLock { sockets in
            for socket in sockets where socket.isOpen {
                _ = shutdown(socket.descriptor, CInt(SHUT_RDWR))
            }
        }
    }
}

/// Identifies a socket; `nil` for a descriptor that is none or is closed.
private func inodeOfSocket(_ descriptor: CInt) -> UInt? {
    var status = stat()
    guard descriptor >= 0, unsafe fstat(descriptor, &status) == 0,
        status.st_mode & S_IFMT == S_IFSOCK
    else { return nil }
    return UInt(status.st_ino)
}

/// The local port of a socket, `nil` for a descriptor that is none or is closed.
private func localPort(_ descriptor: CInt) -> CInt? {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe getsockname(descriptor, address, &length)
        }
    }
    // The port is at the same place for IPv4.
    return code == 0 ? CInt(UInt16(bigEndian: address.sin6_port)) : nil
}
