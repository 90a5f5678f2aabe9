import Glibc

/// The client's end of one connection, as the server sees it.
final class Peer: Sendable {
    private let socket: OpenSocket

    init(_ socket: OpenSocket) {
        self.socket = socket
    }

    /// The next request, `nil` when the client has gone.
    func request() -> SentRequest? {
        var text: [UInt8] = []
        while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard let byte = byte() else { return nil }
            text.append(byte)
        }
        return SentRequest(String(decoding: text, as: UTF8.self))
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                unsafe Glibc.send(
                    socket.descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Says nothing more until the client goes, or the server ends.
    func hang() {
        while byte() != nil {}
    }

    /// Sends the bytes one at a time, so many milliseconds apart, as long as somebody listens.
    func sendSlowly(_ bytes: [UInt8], every milliseconds: CInt) {
        for byte in bytes {
            send([byte])
            var polled = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&polled, 1, milliseconds) != 0 { return }
        }
    }

    /// Ends the connection both ways; a thread that reads from it goes on.
    func cut() {
        socket.cut()
    }

    func close() {
        socket.close()
    }

    private func byte() -> UInt8? {
        var byte: UInt8 = 0
        return unsafe recv(socket.descriptor, &byte, 1, 0) == 1 ? byte : nil
    }
}
