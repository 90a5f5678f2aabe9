import Glibc
import Platform

/// Where a program tells how far it is, as sd_notify(3) does.
final class NotifySocket: Sendable {
    /// What it is to have in its environment.
    let variable: [String: String]
    let messages: Capture
    private let descriptor: Int32

    /// - Parameter path: Where nothing is yet.
    init(at path: String) throws(SystemError) {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = try retryingInterrupts("socket", path: path) { socket(AF_UNIX, kind, 0) }
        messages = Capture(of: dup(descriptor))
        variable = ["NOTIFY_SOCKET": path]
        var address = sockaddr_un()
        address.sun_family = UInt16(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { name in
            unsafe name.copyBytes(from: path.utf8.prefix(name.count - 1))
        }
        try retryingInterrupts("bind", path: path) {
            unsafe withUnsafePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, UInt32(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    deinit {
        // The thread that reads goes on with the end of what came.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
