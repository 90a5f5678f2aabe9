internal import Glibc
internal import Platform

/// A socket that listens on 127.0.0.1.
struct ListeningSocket: ~Copyable {
    let port: UInt16
    private let descriptor: CInt

    /// Binds 127.0.0.1; port 0 stands for any free port.
    init(port: UInt16) throws(SystemError) {
        let name = "127.0.0.1:\(port)"
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = try retryingInterrupts("socket", path: name) { socket(AF_INET, type, 0) }
        do {
            self.port = try Self.bind(descriptor, port: port, name: name)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns the descriptor, which the caller must close.
    consuming func take() -> CInt {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    private static func bind(
        _ descriptor: CInt, port: UInt16, name: String
    ) throws(SystemError) -> UInt16 {
        // A port in TIME_WAIT can be used again: see socket(7).
        var yes: CInt = 1
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try retryingInterrupts("bind", path: name) {
            unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe Glibc.bind(
                    descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
            }
        }
        try retryingInterrupts("listen", path: name) { listen(descriptor, SOMAXCONN) }
        try retryingInterrupts("getsockname", path: name) {
            unsafe withUnsafeMutableBytes(of: &address) { bytes in
                unsafe getsockname(
                    descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
