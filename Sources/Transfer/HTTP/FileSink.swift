internal import Glibc
internal import Platform
internal import Synchronization

/// Writes the body of a response into a file, for ``Client/download(_:into:path:limit:unless:space:start:progress:)``.
///
/// A download has one sink for all its attempts: a later response may continue a body that broke off. The bytes are written
/// as they arrive, on the thread of all transfers, so that a slow disk delays all of them.
final class FileSink: BodySink {
    private struct State {
        /// The head of the response that began the file; `nil` if the next response begins it.
        var head: ResponseHead?
        /// How many bytes were received, of which the last ones may be in ``unwritten``.
        var receivedBytes = 0
        /// The last received bytes, which are not written yet; at most ``blockSize``.
        var unwritten: [UInt8] = []

        /// The part of the file to request after a response that broke off; `nil` if the whole file must be requested.
        var rest: FileRest? { head.flatMap { FileRest(of: $0, from: receivedBytes) } }

        /// Whether the body of the response with the head `next` is the rest of the file, from the same address.
        func isContinued(by next: ResponseHead) -> Bool {
            guard let head, let rest else { return false }
            return rest.isBody(of: next) && head.address == next.address
        }
    }

    /// How many bytes are collected before they are written: writing each piece of TLS, 16 KiB, would take more time.
    private static let blockSize = 64 << 10

    let limit: Int
    private let state = Mutex(State())
    private let descriptor: CInt
    /// The path of the file, for errors.
    private let path: String
    private let space: SpaceReservations?
    private let startCheck: StartCheck?
    /// Receives the length of each piece of the body.
    private let progress: (@Sendable (Int) -> Void)?

    /// Creates a sink that writes into `descriptor`, which the caller keeps open.
    ///
    /// The sink reserves disk space in `space` under its own `ObjectIdentifier`; the caller must end the reservation.
    init(
        descriptor: CInt, path: String, limit: Int, space: SpaceReservations?,
        start startCheck: StartCheck?, progress: (@Sendable (Int) -> Void)?
    ) {
        self.descriptor = descriptor
        self.path = path
        self.limit = limit
        self.space = space
        self.startCheck = startCheck
        self.progress = progress
    }

    /// How many bytes of the file were received.
    var receivedBytes: Int { state.withLock(\.receivedBytes) }

    /// The part of the file to request next; `nil` if the whole file must be requested.
    var rest: FileRest? { state.withLock(\.rest) }

    /// Forgets what was received, so that the next response begins the file again.
    func forgetResponse() { state.withLock { $0.head = nil } }

    // MARK: The body

    /// Empties the file, and reserves the announced length, unless the response continues what is in it.
    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        if let coding = head.codings.first {
            throw .permanent(head.address, "unexpected Content-Encoding: \(coding)")
        }
        if state.withLock({ $0.isContinued(by: head) }) { return }
        // Status 206 would announce a part of the file that was not requested.
        guard [200, 203].contains(head.status) else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        try empty()
        try reserveSpace(forBytes: head.contentLength ?? 0, from: head.address)
        state.withLock { $0 = State(head: head) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            try unsafe checkStart(of: state, followedBy: bytes, from: address)
            let announcedLength = state.head?.contentLength ?? 0
            let length = max(announcedLength, state.receivedBytes + bytes.count)
            try reserveSpace(forBytes: length, from: address)
            try unsafe append(bytes, to: &state)
        }
        progress?(bytes.count)
    }

    /// Writes the last block, without flushing the file to the disk, and checks the length of the file.
    ///
    /// libcurl checks the length of each response, but if the rest of a file comes in chunks, its length is not announced.
    func finish() throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            try writeBlock(of: &state)
            if let head = state.head, let length = head.contentLength,
                length != state.receivedBytes
            {
                let reason = "\(state.receivedBytes) bytes instead of \(length)"
                throw AttemptFailure(.broken(address: head.address.redacted, reason: reason))
            }
            // The buffer is released, because the sink lives on while the file is hashed.
            state.unwritten = []
        }
    }

    // MARK: The result

    /// The result of the download into `file`, the one that the sink has written; to be called after ``finish()``.
    ///
    /// The bytes are not hashed as they arrive, because all transfers share one thread. The task of the download hashes them
    /// here, when the kernel still has the file in its cache.
    func result(of file: borrowing FileDescriptor) throws(TransferError) -> DownloadResult {
        // A response that continued the file may have fewer fields than this one.
        guard let head = state.withLock(\.head) else {
            preconditionFailure("no response has begun the file")
        }
        do {
            return DownloadResult(
                address: head.address.text, bytes: receivedBytes,
                sha256: try file.sha256(path: path, limit: receivedBytes),
                etag: head.headers["etag"], lastModified: head.headers["last-modified"])
        } catch {
            throw error.isCancelled ? .cancelled : .file(error)
        }
    }

    // MARK: Steps

    /// Checks the first bytes of the file if `bytes`, which arrive after those of `state`, complete them.
    private func checkStart(
        of state: State, followedBy bytes: UnsafeRawBufferPointer, from address: WebURL
    ) throws(AttemptFailure) {
        guard let startCheck, state.receivedBytes < startCheck.length,
            state.receivedBytes + bytes.count >= startCheck.length
        else { return }
        // The start is no longer than a block, so that nothing of it is written yet.
        let missing = startCheck.length - state.unwritten.count
        let start = unsafe state.unwritten + bytes.prefix(missing)
        try attempting { () throws(TransferError) in
            try startCheck.check(start, address.redacted)
        }
    }

    /// Reserves the space for a file of `length` bytes.
    ///
    /// - Throws: If there is too little. Then the file is emptied, so that other downloads can reserve its space.
    private func reserveSpace(
        forBytes length: Int, from address: WebURL
    ) throws(AttemptFailure) {
        guard let space, !space.reserve(length, for: ObjectIdentifier(self)) else { return }
        // If this fails, the space becomes free when the caller removes the file.
        try? empty()
        throw AttemptFailure(.noSpace(address: address.redacted, bytes: length))
    }

    private func empty() throws(AttemptFailure) {
        try call("ftruncate") { ftruncate(descriptor, 0) }
        space?.update(written: 0, of: ObjectIdentifier(self))
    }

    /// Adds `bytes` to the block that is being collected, or writes them.
    private func append(
        _ bytes: UnsafeRawBufferPointer, to state: inout State
    ) throws(AttemptFailure) {
        if state.unwritten.count + bytes.count > Self.blockSize { try writeBlock(of: &state) }
        if bytes.count >= Self.blockSize {
            try unsafe write(bytes, at: state.receivedBytes)
        } else {
            state.unwritten.reserveCapacity(Self.blockSize)
            unsafe state.unwritten.append(contentsOf: bytes)
        }
        state.receivedBytes += bytes.count
    }

    private func writeBlock(of state: inout State) throws(AttemptFailure) {
        let offset = state.receivedBytes - state.unwritten.count
        try unsafe state.unwritten.withUnsafeBufferPointer { bytes throws(AttemptFailure) in
            try unsafe write(UnsafeRawBufferPointer(bytes), at: offset)
        }
        state.unwritten.removeAll(keepingCapacity: true)
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
}
