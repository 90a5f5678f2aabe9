internal import Glibc
internal import Platform

/// Reserves space on a disk for one file.
package protocol DiskSpace: Sendable {
    /// Reserves space for `total` bytes of the file; returns whether they fit.
    ///
    /// If not, the file has no reservation.
    func reserve(_ total: Int) -> Bool

    /// Takes how many bytes the file has; is called after each write.
    func update(written: Int)
}

/// Writes a body into a file and hashes it; resumes an interrupted attempt.
///
/// Both happen on the thread of a ``WriteQueue``, a block at a time.
final class FileSink: BodySink {
    private struct State {
        var address: WebURL
        /// Including those in ``block``.
        var bytes = 0
        /// Received and not submitted yet; survives a failed attempt.
        var block: [UInt8] = []
        /// The announced length.
        var total: Int?
        var resumption: Resumption?
    }

    /// Smaller writes take more system time; TLS delivers pieces of 16 KiB.
    private static let blockSize = 128 << 10

    private let state: Monitor<State>
    /// The hash of the blocks that were written.
    private let hash = Monitor(SHA256())
    /// Why a block could not be written.
    private let failure = Monitor(AttemptFailure?.none)
    private let queue: WriteQueue
    private let descriptor: CInt
    private let limit: Int
    private let space: (any DiskSpace)?
    private let progress: (@Sendable (Int) -> Void)?

    /// Writes into `descriptor`, which stays open as long as the sink is used.
    init(
        _ address: WebURL, descriptor: CInt, by queue: WriteQueue, limit: Int,
        space: (any DiskSpace)? = nil, progress: (@Sendable (Int) -> Void)?
    ) {
        state = Monitor(State(address: address))
        self.queue = queue
        self.descriptor = descriptor
        self.limit = limit
        self.space = space
        self.progress = progress
    }

    /// The header lines that request the rest; `nil` if the whole file must be requested.
    var rangeHeaders: [String]? {
        state.withLock { state in
            // If all bytes were received and the attempt failed, there is no rest.
            state.bytes > 0 && state.bytes < state.total ?? .max
                ? state.resumption?.headers(from: state.bytes) : nil
        }
    }

    /// The number of bytes and their hash.
    var result: (bytes: Int, sha256: String) {
        (state.withLock(\.bytes), hash.withLock { $0.hexDigest() })
    }

    /// The failure of an attempt, worth retrying if the server rejected the range or sent another one: the next
    /// attempt requests the whole file.
    func afterwards(_ failure: AttemptFailure) -> AttemptFailure {
        guard rangeHeaders != nil else { return failure }
        switch failure.error {
        case .refused(_, status: 412, _), .refused(_, status: 416, _), .broken:
            guard !failure.isWorthRetrying else { return failure }
            state.withLock { $0.resumption = nil }
            return AttemptFailure(failure.error, isWorthRetrying: true)
        default: return failure
        }
    }

    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        let encoding = head.headers["Content-Encoding"]?.lowercased() ?? "identity"
        guard encoding == "identity" else {
            throw .permanent(head.address, "unexpected Content-Encoding: \(encoding)")
        }
        switch head.status {
        case 200, 203: try restart(head)
        case 206: try resume(head)
        default: throw .permanent(head.address, "unexpected status \(head.status)")
        }
    }

    private func restart(_ head: ResponseHead) throws(AttemptFailure) {
        let total = head.headers.contentLength
        if let total, total > limit {
            throw AttemptFailure(.tooLong(address: head.address.redacted, limit: limit))
        }
        try call("ftruncate") { ftruncate(descriptor, 0) }
        space?.update(written: 0)
        try reserveSpace(total ?? 0, head.address)
        let fresh = State(address: head.address, total: total, resumption: Resumption(head))
        state.withLock { $0 = fresh }
        hash.withLock { $0 = SHA256() }
    }

    private func resume(_ head: ResponseHead) throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            // mutant: resumed-range
            guard state.resumption?.accepts(head, at: state.bytes) == true else {
                state.resumption = nil
                throw .broken(head.address, "it is not the requested range")
            }
            state.address = head.address
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(AttemptFailure) {
        let count = try state.withLock { state throws(AttemptFailure) in
            // mutant: file-limit
            guard bytes.count <= limit - state.bytes else {
                throw AttemptFailure(.tooLong(address: state.address.redacted, limit: limit))
            }
            try reserveSpace(max(state.total ?? 0, state.bytes + bytes.count), state.address)
            if state.block.count + bytes.count > Self.blockSize { try submit(&state) }
            state.block.reserveCapacity(Self.blockSize)
            unsafe state.block.append(contentsOf: bytes)
            state.bytes += bytes.count
            return state.bytes
        }
        progress?(count)
    }

    /// - Throws: If there is no space. The file is empty then, so that its space is free for the downloads that
    ///   reserve space next.
    private func reserveSpace(_ total: Int, _ address: WebURL) throws(AttemptFailure) {
        guard let space, !space.reserve(total) else { return }
        let refusal = AttemptFailure(.noSpace(address: address.redacted))
        let answer = Monitor(Bool?.none)
        queue.submit { [descriptor, failure] in
            // A block that was being written counted as reserved and as no longer free; none is now.
            let fits = space.reserve(total)
            if !fits {
                failure.withLock { $0 = $0 ?? refusal }
                // If this fails, the space is free when the file is closed.
                _ = ftruncate(descriptor, 0)
                space.update(written: 0)
            }
            answer.withLock { $0 = fits }
            answer.signal()
        }
        guard answer.wait({ $0 }) else { throw refusal }
    }

    /// Submits the block of `state` to the queue; throws the failure of an earlier block.
    private func submit(_ state: inout State) throws(AttemptFailure) {
        if let failure = failure.withLock(\.self) { throw failure }
        let (block, offset) = (state.block, state.bytes - state.block.count)
        state.block = []
        queue.submit { [self] in write(block, at: offset) }
    }

    private func write(_ block: [UInt8], at offset: Int) {
        guard failure.withLock(\.self) == nil else { return }
        hash.withLock { $0.update(block) }
        do throws(AttemptFailure) {
            var rest = block[...]
            while !rest.isEmpty {
                let count = try call("write") {
                    unsafe rest.withUnsafeBytes { bytes in
                        unsafe pwrite(
                            descriptor, bytes.baseAddress, bytes.count, offset + rest.startIndex)
                    }
                }
                rest = rest.dropFirst(count)
                space?.update(written: offset + rest.startIndex)
            }
        } catch {
            failure.withLock { $0 = error }
        }
    }

    func finish(_ head: ResponseHead) throws(AttemptFailure) {
        let (bytes, total) = try state.withLock { state throws(AttemptFailure) in
            try submit(&state)
            return (state.bytes, state.total)
        }
        // mutant: content-length
        if let total, bytes != total {
            state.withLock { $0.resumption = nil }
            throw .broken(head.address, "\(bytes) bytes instead of \(total)")
        }
    }

    func afterLastWrite(_ body: @escaping @Sendable (AttemptFailure?) -> Void) {
        queue.submit { [failure] in body(failure.withLock(\.self)) }
    }

    @discardableResult
    private func call<Result: FixedWidthInteger>(
        _ name: String, _ body: () -> Result
    ) throws(AttemptFailure) -> Result {
        do {
            return try retryingInterrupts(name, path: "descriptor \(descriptor)", body)
        } catch {
            throw AttemptFailure(.file(SystemError(name, path: path, code: error.code)))
        }
    }

    /// The path of the file; see proc(5).
    private var path: String {
        (try? Directory(opening: "/proc/self/fd"))?.target(of: "\(descriptor)")
            ?? "descriptor \(descriptor)"
    }
}
