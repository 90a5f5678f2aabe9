import Glibc
import Platform
import TestSupport

/// A server on this machine that records what it gets: for the web, where each request has status 200, or for mail.
final class RequestRecorder: Sendable {
    let port: Int
    private let listener: FileDescriptor
    private let recorded = Monitor<[[UInt8]]>([])

    enum Language { case http, smtp }

    init(_ language: Language = .http) throws {
        port = try freePort()
        let listener = FileDescriptor(owning: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try retryingInterrupts("bind", path: "127.0.0.1:\(port)") {
            unsafe withUnsafePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(listener.rawValue, $0, length) == 0
                        ? listen(listener.rawValue, 64) : -1
                }
            }
        }
        let descriptor = listener.rawValue
        self.listener = listener
        startThread("recorder") { [recorded] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                let connection = FileDescriptor(owning: connection)
                let request =
                    switch language {
                    case .http: Self.answer(connection)
                    case .smtp: Self.receiveMail(connection)
                    }
                recorded.withLock { $0.append(request) }
            }
        }
    }

    /// Ends the thread.
    func stop() { shutdown(listener.rawValue, CInt(SHUT_RDWR)) }

    /// Head and body of each request, or all that a mail program sent, in the order of arrival.
    var requests: [[UInt8]] { recorded.withLock { $0 } }

    private static func answer(_ connection: borrowing FileDescriptor) -> [UInt8] {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while !isWhole(request) {
            let count = unsafe read(connection.rawValue, &buffer, buffer.count)
            guard count > 0 else { break }
            request += buffer[..<count]
        }
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        try? connection.write(Array(answer.utf8), path: "the connection")
        return request
    }

    /// Accepts each command, and after DATA what ends with a line of a dot; see RFC 5321.
    private static func receiveMail(_ connection: borrowing FileDescriptor) -> [UInt8] {
        var dialog: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var (answer, end) = ("220 recorder", "\r\n")
        while true {
            try? connection.write(Array("\(answer)\r\n".utf8), path: "the connection")
            let start = dialog.count
            repeat {
                let count = unsafe read(connection.rawValue, &buffer, buffer.count)
                guard count > 0 else { return dialog }
                dialog += buffer[..<count]
            } while !dialog[start...].suffix(end.utf8.count).elementsEqual(end.utf8)
            let isData = dialog[start...].starts(with: "DATA\r\n".utf8)
            (answer, end) = isData ? ("354 send it", "\r\n.\r\n") : ("250 done", "\r\n")
        }
    }

    /// Whether `request` has as many bytes after its head as that announces.
    private static func isWhole(_ request: [UInt8]) -> Bool {
        guard let end = request.range(of: Array("\r\n\r\n".utf8)) else { return false }
        let head = String(decoding: request[..<end.lowerBound], as: UTF8.self)
        let length = head.firstMatch(of: #/\r\nContent-Length: (\d+)/#.ignoresCase())
            .flatMap { Int($0.1) }
        return request.count >= end.upperBound + (length ?? 0)
    }
}
