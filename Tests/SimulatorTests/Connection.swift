import Glibc
import Platform
import Simulator
import TestSupport

/// A client on a single connection that receives every byte.
final class Connection {
    private let descriptor: CInt
    private var received: [UInt8] = []
    private var isHead = false

    init(_ simulator: Simulator) throws {
        let name = simulator.origin
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        descriptor = try retryingInterrupts("socket", path: name) { socket(AF_INET, type, 0) }
        // A missing response fails its test after a timeout.
        var timeout = timeval(tv_sec: Int(Duration.hang / .seconds(1)), tv_usec: 0)
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = simulator.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        try retryingInterrupts("connect", path: name) {
            unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe connect(
                    descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                    socklen_t(bytes.count))
            }
        }
    }

    deinit { close(descriptor) }

    /// Sends a request without waiting.
    func send(_ path: String, _ headers: [String: String] = [:], method: String = "GET") throws {
        isHead = method == "HEAD"
        var headers = headers
        headers["Host"] = headers["Host"] ?? "127.0.0.1"
        let lines = ["\(method) \(path) HTTP/1.1"] + headers.map { "\($0): \($1)" } + ["", ""]
        let bytes = Array(lines.joined(separator: "\r\n").utf8)
        try retryingInterrupts("send", path: path) {
            unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// The response, or its part until the connection closes.
    func receive() -> Reply {
        guard let end = receiveHeaders() else { return Reply(status: 0, headers: [:]) }
        let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        received.removeFirst(end + 4)
        let words = (lines.first ?? "").split(separator: " ")
        var reply = Reply(status: Int(words[1]) ?? 0, headers: headers)
        receiveBody(of: &reply)
        return reply
    }

    /// Whether the other side has closed the connection, once all is read.
    var isClosed: Bool { !receiveMore() && received.isEmpty }

    private func receiveHeaders() -> Int? {
        while true {
            if let end = received.indices.dropLast(3).first(where: { index in
                received[index..<index + 4].elementsEqual([13, 10, 13, 10])
            }) {
                return end
            }
            guard receiveMore() else { return nil }
        }
    }

    private func receiveBody(of reply: inout Reply) {
        if isHead || reply.status == 304 {
            reply.isWhole = true
        } else if reply.headers["transfer-encoding"] == "chunked" {
            while let size = receiveLine().flatMap({ Int($0, radix: 16) }) {
                guard let chunk = receive(size + 2) else { return }
                reply.body += chunk.dropLast(2)
                if size == 0 { return reply.isWhole = true }
            }
        } else {
            let length = reply.headers["content-length"].flatMap { Int($0) } ?? 0
            while received.count < length, receiveMore() {}
            reply.isWhole = received.count >= length
            reply.body = Array(received.prefix(length))
            received.removeFirst(reply.body.count)
        }
    }

    private func receiveLine() -> String? {
        while true {
            if let end = received.firstIndex(of: 13), end + 1 < received.count {
                defer { received.removeFirst(end + 2) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard receiveMore() else { return nil }
        }
    }

    private func receive(_ count: Int) -> [UInt8]? {
        while received.count < count { guard receiveMore() else { return nil } }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private func receiveMore() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }
}

/// A response.
struct Reply: Sendable {
    /// 0 if the connection was closed without a response.
    var status: Int
    /// By name in lower case.
    var headers: [String: String]
    var body: [UInt8] = []
    /// Whether the body has the announced length.
    var isWhole = false

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension Simulator {
    /// Requests `path`, which may have a query, on a new connection.
    func get(
        _ path: String, _ headers: [String: String] = [:], method: String = "GET"
    ) throws -> Reply {
        let connection = try Connection(self)
        try connection.send(path, headers, method: method)
        return connection.receive()
    }

    /// Requests a page of the basic feed.
    func basic(_ rest: String) throws -> Reply { try get("/wp-json/wp/v2/apod-basic" + rest) }

    /// Requests a page of the v1 feed.
    func v1(_ query: String = "") throws -> Reply { try get("/planetary/apod" + query) }
}
