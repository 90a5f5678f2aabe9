internal import Glibc
internal import Platform

/// Writes a body into a file, hashing on the way, and goes on where an attempt broke off.
final class FileSink: BodySink {
    private struct State {
        var address: Address
        var bytes = 0
        var hash = SHA256()
        /// The length that the server promised.
        var total: Int?
        var resumption: Resumption?
    }

    private let state: Monitor<State>
    private let descriptor: CInt
    private let limit: Int
    private let progress: (@Sendable (Int) -> Void)?

    /// Writes into `descriptor`, which stays open as long as the sink is used.
    init(
        _ address: Address, descriptor: CInt, limit: Int, progress: (@Sendable (Int) -> Void)?
    ) {
        state = Monitor(State(address: address))
        self.descriptor = descriptor
        self.limit = limit
        self.progress = progress
    }

    /// The header lines that ask for the rest; `nil` where only the whole will do.
    var rangeHeaders: [String]? {
        state.withLock { state in
            // Where all of it came and more was wrong, there is no rest.
            state.bytes > 0 && state.bytes < state.total ?? .max
                ? state.resumption?.headers(from: state.bytes) : nil
        }
    }

    /// What was written, and its hash.
    var result: (bytes: Int, sha256: String) {
        state.withLock { ($0.bytes, $0.hash.hexDigest()) }
    }

    /// What a failed attempt says about the next one.
    ///
    /// A server that has no such part, or misreads the request for it, is asked for the whole.
    func afterwards(_ setback: Setback) -> Setback {
        guard rangeHeaders != nil else { return setback }
        switch setback.error {
        case .refused(_, status: 412, _), .refused(_, status: 416, _), .broken:
            guard !setback.isWorthRetrying else { return setback }
            startOver()
            return Setback(setback.error, isWorthRetrying: true)
        default: return setback
        }
    }

    private func startOver() {
        state.withLock { $0.resumption = nil }
    }

    func begin(_ head: Head) throws(Setback) {
        let encoding = head.headers["Content-Encoding"]?.lowercased() ?? "identity"
        guard encoding == "identity" else {
            throw .hopeless(head.address, "unexpected Content-Encoding: \(encoding)")
        }
        switch head.status {
        case 200, 203: try restart(head)
        case 206: try resume(head)
        default: throw .hopeless(head.address, "a status of \(head.status) brings no file")
        }
    }

    private func restart(_ head: Head) throws(Setback) {
        let total = head.headers.contentLength
        if let total, total > limit {
            throw Setback(.tooLong(address: head.address.shown, limit: limit))
        }
        try call("lseek") { lseek(descriptor, 0, SEEK_SET) }
        try call("ftruncate") { ftruncate(descriptor, 0) }
        let fresh = State(address: head.address, total: total, resumption: Resumption(head))
        state.withLock { $0 = fresh }
    }

    private func resume(_ head: Head) throws(Setback) {
        try state.withLock { state throws(Setback) in
            guard state.resumption?.accepts(head, at: state.bytes) == true else {
                state.resumption = nil
                throw .broken(head.address, "a part came that is not the one asked for")
            }
            state.address = head.address
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(Setback) {
        let count = try state.withLock { state throws(Setback) in
            guard bytes.count <= limit - state.bytes else {
                throw Setback(.tooLong(address: state.address.shown, limit: limit))
            }
            try unsafe append(bytes)
            unsafe state.hash.update(bytes)
            state.bytes += bytes.count
            return state.bytes
        }
        progress?(count)
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(Setback) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let written = try call("write") {
                unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    func finish(_ head: Head) throws(Setback) {
        let (bytes, total) = state.withLock { ($0.bytes, $0.total) }
        if let total, bytes != total {
            startOver()
            throw .broken(head.address, "\(bytes) bytes came in place of \(total)")
        }
    }

    @discardableResult
    private func call<Result: FixedWidthInteger>(
        _ name: String, _ body: () -> Result
    ) throws(Setback) -> Result {
        do {
            return try retryingInterrupts(name, path: "descriptor \(descriptor)", body)
        } catch {
            throw Setback(.file(SystemError(name, path: path, code: error.code)))
        }
    }

    /// What the file is called; see proc(5).
    private var path: String {
        (try? Directory(opening: "/proc/self/fd"))?.target(of: "\(descriptor)")
            ?? "descriptor \(descriptor)"
    }
}
