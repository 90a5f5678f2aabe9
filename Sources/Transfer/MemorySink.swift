internal import Platform

/// Collects a body in memory, up to a limit.
final class MemorySink: BodySink {
    private struct State {
        var address: Address
        var body: [UInt8] = []
    }

    private let state: Monitor<State>
    private let limit: Int

    init(_ address: Address, limit: Int) {
        state = Monitor(State(address: address))
        self.limit = limit
    }

    var body: [UInt8] { state.withLock(\.body) }

    func begin(_ head: Head) throws(Setback) {
        guard head.status != 206 else {
            throw .hopeless(head.address, "a part came that nobody asked for")
        }
        if let length = head.headers.contentLength, length > limit {
            throw Setback(.tooLong(address: head.address.shown, limit: limit))
        }
        state.withLock { $0 = State(address: head.address) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Setback) {
        try state.withLock { state throws(Setback) in
            guard state.body.count + bytes.count <= limit else {
                throw Setback(.tooLong(address: state.address.shown, limit: limit))
            }
            unsafe state.body.append(contentsOf: bytes)
        }
    }

    func finish(_ head: Head) throws(Setback) {}
}
