internal import Glibc
internal import Platform
internal import Synchronization

/// The result of a download into a file.
package struct DownloadResult: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// The length of the file.
    package let bytes: Int
    /// The SHA-256 of the file: 64 lower-case hexadecimal digits.
    package let sha256: String
    package let etag: String?
    package let lastModified: String?
}

/// A check of the first bytes of a file, by which a download can be rejected before the rest arrives.
package struct StartCheck: Sendable {
    /// Receives the first bytes, and the address from which they come.
    package typealias Check = @Sendable ([UInt8], String) throws(TransferError) -> Void

    let length: Int
    let check: Check

    /// Creates a check that receives the first `length` bytes; it is not called for a shorter file.
    package init(length: Int, _ check: @escaping Check) {
        self.length = length
        self.check = check
    }
}

/// Writes the body of a response into a file; a later response may continue a body that broke off.
///
/// The bytes are written as they arrive, on the thread of all transfers: a slow disk delays all of them.
final class FileSink: BodySink {
    private struct State {
        /// The head of the response that began the file; `nil` if the next response begins it.
        var head: ResponseHead?
        /// The number of received bytes, of which the last ones may be in ``unwritten``.
        var bytes = 0
        /// The last received bytes, which are not written yet; at most ``blockSize``.
        var unwritten: [UInt8] = []
    }

    /// How many bytes are collected before they are written: writing each piece of TLS, 16 KiB, would take more time.
    private static let blockSize = 64 << 10

    let limit: Int
    private let state = Mutex(State())
    private let descriptor: CInt
    private let space: SpaceReservations?
    private let startCheck: StartCheck?
    private let progress: (@Sendable (Int) -> Void)?

    /// Creates a sink that writes into `descriptor`, which the caller keeps open.
    ///
    /// The sink reserves disk space in `space` under its own `ObjectIdentifier`; the caller must end the reservation.
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

    /// The head of the response that began the file; a response that continues the file may have fewer fields.
    var head: ResponseHead? { state.withLock(\.head) }

    /// The part of the file to request after a response that broke off; `nil` if the whole file must be requested.
    var rest: FileRest? {
        state.withLock { state in state.head.flatMap { FileRest(of: $0, from: state.bytes) } }
    }

    /// Forgets what was received, so that the next response begins the file again.
    func forgetResponse() { state.withLock { $0.head = nil } }

    /// Empties the file, and reserves the announced length, unless the response continues what is in it.
    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        if let coding = head.codings.first {
            throw .permanent(head.address, "unexpected Content-Encoding: \(coding)")
        }
        if let rest, rest.isBody(of: head), self.head?.address == head.address { return }
        // Status 206 would announce a part of the file that was not requested.
        guard [200, 203].contains(head.status) else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        try empty()
        try reserveSpace(head.contentLength ?? 0, head.address)
        state.withLock { $0 = State(head: head) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            try unsafe checkStart(of: state, followedBy: bytes, from: address)
            try reserveSpace(
                max(state.head?.contentLength ?? 0, state.bytes + bytes.count), address)
            if state.unwritten.count + bytes.count > Self.blockSize { try writeBlock(of: &state) }
            if bytes.count >= Self.blockSize {
                try unsafe write(bytes, at: state.bytes)
            } else {
                state.unwritten.reserveCapacity(Self.blockSize)
                unsafe state.unwritten.append(contentsOf: bytes)
            }
            state.bytes += bytes.count
        }
        progress?(bytes.count)
    }

    /// Checks the first bytes of the file if `bytes`, which arrive after those of `state`, complete them.
    private func checkStart(
        of state: State, followedBy bytes: UnsafeRawBufferPointer, from address: WebURL
    ) throws(AttemptFailure) {
        guard let startCheck, state.bytes < startCheck.length,
            state.bytes + bytes.count >= startCheck.length
        else { return }
        // The start is shorter than a block, so that nothing of it is written yet.
        let missing = startCheck.length - state.unwritten.count
        let start = unsafe state.unwritten + bytes.prefix(missing)
        do throws(TransferError) {
            try startCheck.check(start, address.redacted)
        } catch {
            throw AttemptFailure(error)
        }
    }

    /// Reserves the space for a file of `total` bytes.
    ///
    /// - Throws: If there is too little. Then the file is emptied, so that other downloads can reserve its space.
    private func reserveSpace(_ total: Int, _ address: WebURL) throws(AttemptFailure) {
        guard let space, !space.reserve(total, for: ObjectIdentifier(self)) else { return }
        // If this fails, the space becomes free when the caller drops the file.
        try? empty()
        throw AttemptFailure(.noSpace(address: address.redacted, bytes: total))
    }

    private func empty() throws(AttemptFailure) {
        try call("ftruncate") { ftruncate(descriptor, 0) }
        space?.update(written: 0, of: ObjectIdentifier(self))
    }

    private func writeBlock(of state: inout State) throws(AttemptFailure) {
        let offset = state.bytes - state.unwritten.count
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

    /// Writes the last block, without flushing the file to the disk, and checks the length of the file.
    ///
    /// libcurl checks the length of each response, but if the rest of a file comes in chunks, its length is not announced.
    func finish() throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            try writeBlock(of: &state)
            if let head = state.head, let length = head.contentLength, length != state.bytes {
                let reason = "\(state.bytes) bytes instead of \(length)"
                throw AttemptFailure(.broken(address: head.address.redacted, reason: reason))
            }
            state.unwritten = []
        }
    }

    /// Returns the SHA-256 of `file`, into which the sink has written.
    ///
    /// The bytes are not hashed as they arrive, because all transfers share one thread. The task of the download calls this
    /// when the kernel still has the file in its cache.
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
