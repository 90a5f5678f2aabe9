internal import Glibc
package import Platform

/// A port of 127.0.0.1 at which no process listens.
package func freePort() throws(SystemError) -> Int {
    let socket = FileDescriptor(owning: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try retryingInterrupts("bind", path: "127.0.0.1") {
        unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(socket.rawValue, address, length) == 0
                    ? getsockname(socket.rawValue, address, &length) : -1
            }
        }
    }
    return Int(UInt16(bigEndian: address.sin_port))
}
