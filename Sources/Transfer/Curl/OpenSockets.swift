internal import Glibc

/// The sockets that the transfers of one thread opened; libcurl closes them.
final class OpenSockets {
    private var descriptors: [CInt] = []

    /// Opens a socket; see socket(2).
    func open(_ family: CInt, _ type: CInt, _ protocol: CInt) -> CInt {
        let descriptor = Glibc.socket(family, type | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
        descriptors.removeAll { localPort($0) == nil }
        if descriptor >= 0 { descriptors.append(descriptor) }
        return descriptor
    }

    /// The socket that is bound to `port` on this machine, -1 for none.
    func socket(at port: CInt) -> CInt {
        descriptors.last { localPort($0) == port } ?? -1
    }
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
