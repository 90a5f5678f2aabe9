import Glibc
import Platform
import Transfer

/// A server on this machine that answers every request with the next line of a script.
final class ScriptedServer: Sendable {
    /// Answers one request; the connection stays open unless the reply cuts it.
    typealias Reply = @Sendable (SentRequest, Peer) -> Void

    private struct State {
        var requests: [SentRequest] = []
        var peers: [Peer] = []
        var connections = 0
        var isOver = false
    }

    let port: Int
    private let state = Monitor(State())
    private let listener: OpenSocket
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    /// Starts to listen; the last reply is repeated for all further requests.
    init(_ script: Reply...) throws {
        listener = OpenSocket(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
        port = try listen(listener.descriptor)
        let (listener, state, arrivals) = (listener, state, arrivals.continuation)
        startThread("test server") {
            while case let connection = accept(listener.descriptor, nil, nil), connection >= 0 {
                Self.serve(Peer(OpenSocket(connection)), script, state, arrivals)
            }
            listener.close()
        }
    }

    deinit {
        state.withLock { state in
            state.isOver = true
            for peer in state.peers { peer.cut() }
        }
        listener.cut()
    }

    /// The requests in the order of arrival.
    var requests: [SentRequest] { state.withLock(\.requests) }

    /// The request at index `number`, from 0.
    func request(_ number: Int) throws -> SentRequest {
        let requests = requests
        guard number < requests.count else { throw NotAsked(number: number) }
        return requests[number]
    }

    /// A request that did not arrive.
    struct NotAsked: Error {
        let number: Int
    }

    /// The number of accepted connections.
    var connections: Int { state.withLock(\.connections) }

    /// The number of open connections.
    var openConnections: Int { state.withLock(\.peers.count) }

    /// Waits for the next request.
    func arrival() async {
        _ = await arrivals.stream.first { true }
    }

    func address(_ path: String = "/file") -> String {
        "http://127.0.0.1:\(port)\(path)"
    }

    private static func serve(
        _ peer: Peer, _ script: [Reply], _ state: Monitor<State>,
        _ arrivals: AsyncStream<Void>.Continuation
    ) {
        let isOver = state.withLock { state in
            state.peers.append(peer)
            state.connections += 1
            return state.isOver
        }
        if isOver { peer.cut() }
        startThread("test peer") {
            while let request = peer.request() {
                let number = state.withLock { state in
                    state.requests.append(request)
                    return state.requests.count - 1
                }
                arrivals.yield()
                script[min(number, script.count - 1)](request, peer)
            }
            state.withLock { state in state.peers.removeAll { $0 === peer } }
            peer.close()
        }
    }
}

/// A response with a status, a body of the announced length, and further header lines.
func response(
    _ status: String = "200 OK", _ headers: [String] = [], body: [UInt8] = []
) -> ScriptedServer.Reply {
    { _, peer in
        peer.send(head(status, headers + ["Content-Length: \(body.count)"]))
        peer.send(body)
    }
}

/// Sends the text verbatim, and closes the connection.
func verbatim(_ text: String) -> ScriptedServer.Reply {
    { _, peer in
        peer.send(text)
        peer.cut()
    }
}

/// Announces all of `body`, sends its start, and closes the connection.
func cut(
    _ body: [UInt8], after count: Int, _ headers: [String] = []
) -> ScriptedServer.Reply {
    { _, peer in
        peer.send(head("200 OK", headers + ["Content-Length: \(body.count)"]))
        peer.send(Array(body[..<count]))
        peer.cut()
    }
}

/// A redirect.
func redirect(_ location: String) -> ScriptedServer.Reply {
    response("302 Found", ["Location: \(location)"])
}

func head(_ status: String, _ headers: [String]) -> String {
    (["HTTP/1.1 \(status)"] + headers + ["", ""]).joined(separator: "\r\n")
}

/// Listens on a port of the kernel's choice.
private func listen(_ descriptor: CInt) throws(SystemError) -> Int {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try unsafe withUnsafeMutablePointer(to: &place) { place throws(SystemError) in
        try unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            place throws(SystemError) in
            try retryingInterrupts("bind", path: "127.0.0.1") {
                unsafe bind(descriptor, place, size)
            }
            try retryingInterrupts("listen", path: "127.0.0.1") { Glibc.listen(descriptor, 64) }
            try retryingInterrupts("getsockname", path: "127.0.0.1") {
                unsafe getsockname(descriptor, place, &size)
            }
        }
    }
    return Int(UInt16(bigEndian: place.sin_port))
}
