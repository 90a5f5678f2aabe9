internal import Glibc
package import Platform

/// The notify socket of a service manager, which records messages; see sd_notify(3).
package final class NotifySocket: Sendable {
    private struct State {
        var messages: [String] = []
        var waiting: [(text: String, count: Int, waiter: CancellableContinuation)] = []
    }

    /// The value of `$NOTIFY_SOCKET`.
    package let address: String
    private let descriptor: Int32
    private let state = Monitor(State())

    /// Listens at `address`, a path, or `@` and an abstract name.
    package init(_ address: String) throws(SystemError) {
        self.address = address
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = try retryingInterrupts("socket", path: address) {
            socket(AF_UNIX, kind, 0)
        }
        self.descriptor = descriptor
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = address.utf8.map { $0 == UInt8(ascii: "@") ? 0 : $0 }
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        try retryingInterrupts("bind", path: address) {
            unsafe withUnsafePointer(to: &place) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, length)
                }
            }
        }
        startThread("notify") { [state] in Self.listen(descriptor, state) }
    }

    /// Ends the thread, which closes the socket.
    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func listen(_ descriptor: Int32, _ state: Monitor<State>) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            let message = String(decoding: buffer[..<count], as: UTF8.self)
            let met = state.withLock { state in
                state.messages.append(message)
                let messages = state.messages
                defer { state.waiting.removeAll { Self.isMet($0, messages) } }
                return state.waiting.filter { Self.isMet($0, messages) }.map(\.waiter)
            }
            for waiter in met { waiter.resume() }
        }
        close(descriptor)
    }

    private static func isMet(
        _ expected: (text: String, count: Int, waiter: CancellableContinuation),
        _ messages: [String]
    ) -> Bool {
        messages.count { $0.contains(expected.text) } >= expected.count
    }

    /// All messages so far.
    package var messages: [String] { state.withLock { $0.messages } }

    /// The number of messages with a prefix.
    package func count(of start: String) -> Int { messages.count { $0.hasPrefix(start) } }

    /// Waits for `count` messages with `text`.
    package func wait(for text: String, count: Int = 1) async throws {
        let waiter = CancellableContinuation()
        let isMet = state.withLock { state in
            let expected = (text: text, count: count, waiter: waiter)
            if Self.isMet(expected, state.messages) { return true }
            state.waiting.append(expected)
            return false
        }
        if !isMet { try await waiter.wait() }
    }
}
