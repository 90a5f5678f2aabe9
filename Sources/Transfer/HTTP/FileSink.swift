internal import Glibc
internal import Platform
internal import Synchronization

/// What a download into a file resulted in.
package struct DownloadResult: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// The length of the file.
    package let bytes: Int
    /// 64 lower-case hexadecimal digits.
    package let sha256: String
    package let etag: String?
    package let lastModified: String?
}

/// A check of the first bytes of a file while it is downloaded.
package struct StartCheck: Sendable {
    let length: Int
    let check: @Sendable ([UInt8]) throws -> Void

    /// `check` receives the first `length` bytes; it is not called for a shorter file.
    package init(length: Int, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.length = length
        self.check = check
    }
}

/// Writes a body into a file, from the beginning unless a response continues an earlier one.
///
/// It writes as the bytes arrive, on the thread of all transfers, which waits while the disk is slower than the network.
final class FileSink: BodySink {
    private struct State {
        /// The head of the response that began the file; `nil` if the next response begins it.
        var head: ResponseHead?
        /// The number of received bytes, also of those in ``block``.
        var bytes = 0
        /// The last bytes, which are not written yet, up to ``blockSize``.
        var block: [UInt8] = []
    }

    /// The most bytes that wait for the next write: TLS delivers pieces of 16 KiB, and their single writes would take more
    /// system time.
    private static let blockSize = 64 << 10

    let limit: Int
    private let state = Mutex(State())
    private let descriptor: CInt
    private let space: SpaceReservations?
    private let startCheck: StartCheck?
    private let progress: (@Sendable (Int) -> Void)?

    /// Writes into `descriptor`, which the caller keeps open.
    ///
    /// Reserves disk space in `space` for the `ObjectIdentifier` of the sink; the caller ends the reservation.
    init(
        descriptor: CInt, limit: Int, space: SpaceReservations? = nil,
        start startCheck: StartCheck? = nil, progress: (@Sendable (Int) -> Void)?
    ) {
        self.descriptor = descriptor
        self.limit = limit
        self.space = space
        self.startCheck = startCheck
        self.progress = progress
    }

    /// The number of received bytes.
    var bytes: Int { state.withLock(\.bytes) }

    /// The head of the response that began the file; one that continues it may have fewer fields.
    var head: ResponseHead? { state.withLock(\.head) }

    /// What is to be requested after a response that broke off; `nil` for the whole file.
    var rest: FileRest? {
        state.withLock { state in state.head.flatMap { FileRest(of: $0, from: state.bytes) } }
    }

    /// Makes the next response begin the file again.
    func forgetResponse() { state.withLock { $0.head = nil } }

    /// Empties the file, and reserves the announced length, unless the response continues what is in it.
    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        if let coding = head.codings.first {
            throw .permanent(head.address, "unexpected Content-Encoding: \(coding)")
        }
        if let rest, rest.isBody(of: head), self.head?.address == head.address { return }
        // Another part, status 206, was not requested.
        guard [200, 203].contains(head.status) else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        try empty()
        try reserveSpace(head.contentLength ?? 0, head.address)
        state.withLock { $0 = State(head: head) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            try unsafe checkStart(of: state, before: bytes, from: address)
            try reserveSpace(
                max(state.head?.contentLength ?? 0, state.bytes + bytes.count), address)
            if state.block.count + bytes.count > Self.blockSize { try writeBlock(of: &state) }
            if bytes.count >= Self.blockSize {
                try unsafe write(bytes, at: state.bytes)
            } else {
                state.block.reserveCapacity(Self.blockSize)
                unsafe state.block.append(contentsOf: bytes)
            }
            state.bytes += bytes.count
        }
        progress?(bytes.count)
    }

    /// Checks the first bytes, when enough of them have arrived.
    private func checkStart(
        of state: State, before bytes: UnsafeRawBufferPointer, from address: WebURL
    ) throws(AttemptFailure) {
        guard let startCheck, state.bytes < startCheck.length,
            state.bytes + bytes.count >= startCheck.length
        else { return }
        do {
            // The start is shorter than a block, so that all earlier bytes are still in it.
            let missing = startCheck.length - state.block.count
            try unsafe startCheck.check(state.block + bytes.prefix(missing))
        } catch {
            throw AttemptFailure(.rejected(address: address.redacted, reason: "\(error)"))
        }
    }

    /// Reserves the space for a file of `total` bytes.
    ///
    /// - Throws: If there is too little. Then the file is emptied, so that other downloads can reserve its space.
    private func reserveSpace(_ total: Int, _ address: WebURL) throws(AttemptFailure) {
        guard let space, !space.reserve(total, for: ObjectIdentifier(self)) else { return }
        // If this fails, the space is free once the file is closed.
        try? empty()
        throw AttemptFailure(.noSpace(address: address.redacted, bytes: total))
    }

    private func empty() throws(AttemptFailure) {
        try call("ftruncate") { ftruncate(descriptor, 0) }
        space?.update(written: 0, of: ObjectIdentifier(self))
    }

    private func writeBlock(of state: inout State) throws(AttemptFailure) {
        let offset = state.bytes - state.block.count
        try unsafe state.block.withUnsafeBufferPointer { bytes throws(AttemptFailure) in
            try unsafe write(UnsafeRawBufferPointer(bytes), at: offset)
        }
        state.block.removeAll(keepingCapacity: true)
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(AttemptFailure) {
        var written = 0
        while written < bytes.count {
            written += try call("write") {
                unsafe pwrite(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
                    offset + written)
            }
            space?.update(written: offset + written, of: ObjectIdentifier(self))
        }
    }

    /// Writes the last block, and compares the length of the file with the announced one; the publication flushes the file.
    ///
    /// libcurl compares the length of one response, but a rest that comes in chunks announces none.
    func finish() throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            try writeBlock(of: &state)
            if let head = state.head, let length = head.contentLength, length != state.bytes {
                let reason = "\(state.bytes) bytes instead of \(length)"
                throw AttemptFailure(.broken(address: head.address.redacted, reason: reason))
            }
            state.block = []
        }
    }

    /// Returns the SHA-256 of the finished `file`, whose descriptor the sink has.
    ///
    /// The thread of all transfers would be too slow for hashing the bytes as they arrive. This is called by the task of the
    /// download, and the kernel has the file in its cache.
    func hash(of file: borrowing FileDescriptor) throws(TransferError) -> String {
        do {
            return try file.sha256(path: path, limit: bytes)
        } catch {
            throw error.code == ECANCELED ? .cancelled : .file(error)
        }
    }

    /// Makes a system call for the file, whose error becomes a failure of the attempt.
    @discardableResult
    private func call<Result: SignedInteger>(
        _ name: String, _ body: () -> Result
    ) throws(AttemptFailure) -> Result {
        do {
            return try retryingInterrupts(name, path: path, body)
        } catch {
            throw AttemptFailure(.file(error))
        }
    }

    /// The path of the file, for errors; see proc(5).
    private var path: String {
        (try? Directory(opening: "/proc/self/fd"))?.target(of: "\(descriptor)")
            ?? "descriptor \(descriptor)"
    }
}
