internal import CCurl
internal import Glibc
package import Platform

/// Downloads lists and files over HTTP, within limits, and checks each response.
///
/// Failed requests are retried with growing delays. Cancellation ends a request at once. The policy
/// checks each address, also of redirects, and the address that a host name resolves to, unless a proxy
/// resolves it.
package struct Client: Sendable {
    let configuration: ClientConfiguration
    private let retry: RequestAttempts
    private let clock: any Clock<Duration>
    /// The hosts that sent a `Retry-After`.
    package let hosts: HostPauses
    private let lists: RateLimiter
    let loop: TransferLoop

    /// The address of the feed; `nil` means NASA's.
    package var upstream: WebURL? { configuration.policy.upstream }

    /// The name and version of libcurl and of its libraries.
    package static var libraryVersion: String { unsafe String(cString: curl_version()) }

    /// Makes a client with connections of its own, which end with its last copy.
    ///
    /// `pace` is the minimum time between the starts of two requests for lists, `width` the number of concurrent downloads
    /// that the caller makes at most, which share the minimum rate. `bandwidth` limits all transfers together.
    package init(
        agent: String, policy: AddressPolicy, retry: RequestAttempts = .standard,
        limits: Limits = .standard, pace: Duration = .seconds(1), width: Int,
        bandwidth: Bandwidth? = nil,
        clock: any Clock<Duration> = LoopClock(), hosts: HostPauses,
        environment: NetworkEnvironment = .current
    ) {
        configuration = ClientConfiguration(
            agent: agent, policy: policy,
            limits: limits.shared(by: width, within: bandwidth), bandwidth: bandwidth,
            environment: environment)
        self.retry = retry
        self.clock = clock
        self.hosts = hosts
        lists = RateLimiter(pace, clock: clock)
        loop = TransferLoop(configuration)
    }

    /// Downloads a response into memory: lists, JSON, pages.
    ///
    /// The starts of two such requests are at least the pace apart, in the order of the calls. A retry waits
    /// again, a redirect does not.
    ///
    /// The response has a status of 200 to 299 and a decoded body of at most `limit` bytes.
    package func get(
        _ address: String, as role: AddressPolicy.Role = .feed, limit: Int = 32 << 20
    ) async throws(TransferError) -> BufferedResponse {
        let start = try configuration.policy.check(address, as: role)
        let sink = MemorySink(limit: limit)
        let head = try await retrying {
            try checkMayRequest(start)
            try await lists.wait()
            return try await follow(start, as: role, into: sink)
        }
        return BufferedResponse(headers: head.headers, body: sink.body)
    }

    /// Streams a file into `file`, which is emptied when the response begins, and hashes it at the end.
    ///
    /// After an attempt that broke off, the next one asks for the rest, if the server named the version of the file; else,
    /// or if it does not send the rest, the file begins again. After an error its contents are undefined. If the server
    /// still has the version `known`, the download fails with ``TransferError/notModified(address:)``.
    ///
    /// `space` reserves disk space for the announced length, or for what arrives. If it refuses, the file is
    /// emptied, and the download fails with ``TransferError/noSpace(address:bytes:)``.
    ///
    /// `start` checks the first bytes before the rest is downloaded; its error becomes
    /// ``TransferError/rejected(address:reason:)``.
    ///
    /// `progress` receives the number of bytes of each piece, on the thread of all transfers, and must not block.
    package func download(
        _ address: String, into file: borrowing FileDescriptor, limit: Int,
        unless known: FileVersion? = nil, space: SpaceReservations? = nil,
        start check: StartCheck? = nil,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(TransferError) -> DownloadResult {
        let start = try configuration.policy.check(address, as: .media)
        let sink = FileSink(
            descriptor: file.rawValue, limit: limit, space: space, start: check, progress: progress)
        defer { space?.end(ObjectIdentifier(sink)) }
        let last = try await retrying(bytes: { sink.bytes }) {
            try checkMayRequest(start)
            let rest = sink.rest
            do throws(AttemptFailure) {
                return try await follow(start, as: .media, unless: known, rest: rest, into: sink)
            } catch {
                guard rest != nil, error.isAnswer else { throw error }
                // The server may refuse only this part, as by 416.
                sink.forgetResponse()
                throw AttemptFailure(error.error, .retry())
            }
        }
        let head = sink.head ?? last
        return DownloadResult(
            address: head.address.text, bytes: sink.bytes, sha256: try sink.hash(of: file),
            etag: head.headers["etag"], lastModified: head.headers["last-modified"])
    }

    /// Makes attempts until one succeeds or a retry is pointless.
    ///
    /// `attempt` throws ``AttemptFailure`` after a request, ``TransferError`` if it makes none, or is cancelled.
    /// `bytes` returns how much of the file is here: after ``RequestAttempts/progress``, attempts are counted anew.
    private func retrying(
        bytes: () -> Int = { 0 }, _ attempt: () async throws -> ResponseHead
    ) async throws(TransferError) -> ResponseHead {
        var number = 1
        var most = 0
        do {
            while true {
                do {
                    return try await attempt()
                } catch let failure as AttemptFailure {
                    // Bounded by the length of the file, also where it begins again.
                    if bytes() >= most + RequestAttempts.progress { (most, number) = (bytes(), 1) }
                    let random = Double.random(in: 0...1)
                    guard let pause = retry.pause(after: failure, attempt: number, random: random)
                    else { throw errorToReport(failure) }
                    try await clock.sleep(for: pause)
                }
                number += 1
            }
        } catch let error as TransferError {
            throw error
        } catch {
            throw .cancelled
        }
    }

    /// The error of the last attempt; if that asked for a pause, the host gets no request for that time.
    private func errorToReport(_ failure: AttemptFailure) -> TransferError {
        guard case .refused(let address, _, _) = failure.error, let pause = failure.pause else {
            return failure.error
        }
        return .throttled(address: address, until: hosts.close(pause.host, for: pause.seconds))
    }

    /// Throws if the task is cancelled or the host is to get no request; called before a wait and after it.
    func checkMayRequest(_ address: WebURL) throws(TransferError) {
        if Task.isCancelled { throw .cancelled }
        if let until = hosts.closed(address.host) {
            throw .throttled(address: address.redacted, until: until)
        }
    }
}
