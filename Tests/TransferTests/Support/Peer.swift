import Glibc

/// The client of one connection.
final class Peer: Sendable {
    private let socket: OpenSocket

    init(_ socket: OpenSocket) {
        self.socket = socket
    }

    /// The next request, `nil` if the client has closed the connection.
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

    /// Sends nothing until the client closes the connection or the server stops.
    func hang() {
        while byte() != nil {}
    }

    /// Sends the bytes one by one with pauses, until the client closes the connection.
    func sendSlowly(_ bytes: [UInt8], every milliseconds: CInt) {
        for byte in bytes {
            send([byte])
            var polled = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&polled, 1, milliseconds) != 0 { return }
        }
    }

    /// Shuts down both directions; a reading thread continues.
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
