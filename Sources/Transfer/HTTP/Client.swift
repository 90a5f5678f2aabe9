internal import CCurl
internal import Glibc
package import Platform

/// Downloads lists and files over HTTP, within limits, and checks each response.
///
/// A request that fails is sent again after a growing delay. If its task is cancelled, a request ends at once.
/// ``AddressPolicy`` checks each address, each redirect, and the IP address of each host, unless a proxy resolves the name.
package struct Client: Sendable {
    let configuration: ClientConfiguration
    private let retry: RequestAttempts
    private let clock: any Clock<Duration>
    /// The hosts that asked for a pause with a `Retry-After`.
    package let hosts: HostPauses
    /// Keeps the pace of the requests for lists and web pages.
    private let listPace: RateLimiter
    let loop: TransferLoop

    /// The address of the feed; `nil` means NASA's.
    package var upstream: WebURL? { configuration.policy.upstream }

    /// The versions of libcurl and its libraries, such as `libcurl/7.88.1 GnuTLS/3.7.9 zlib/1.2.13`.
    package static var libraryVersion: String { unsafe String(cString: curl_version()) }

    /// Creates a client with connections of its own, which are closed when its last copy is released.
    ///
    /// `pace` is the minimum time between the starts of two requests for lists, and `bandwidth` the limit of all transfers
    /// together. The caller promises to run at most `width` downloads at once, which share the minimum rate.
    package init(
        agent: String, policy: AddressPolicy, retry: RequestAttempts = .standard,
        limits: RequestLimits = .standard, pace: Duration = .seconds(1), width: Int,
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
        listPace = RateLimiter(pace, clock: clock)
        loop = TransferLoop(configuration)
    }

    /// Downloads a list or a web page of at most `limit` bytes into memory.
    ///
    /// Each attempt waits until the pace has passed since the last such request; a redirected request does not wait.
    package func get(
        _ address: String, as role: AddressPolicy.Role = .feed, limit: Int = 32 << 20
    ) async throws(TransferError) -> BufferedResponse {
        let start = try configuration.policy.requestURL(for: address, as: role)
        let sink = MemorySink(limit: limit)
        let head = try await retrying { () async throws(AttemptFailure) in
            // A request that would be refused after the wait need not wait.
            try checkMayRequest(start)
            try? await listPace.wait()
            return try await follow(start, as: role, wanting: .all, into: sink)
        }
        return BufferedResponse(headers: head.headers, body: sink.body)
    }

    /// Downloads a file into `file`, which is emptied when the response begins, and hashes it at the end.
    ///
    /// If an attempt breaks off, the next one requests only the rest of the file, if the server named the version of the file.
    /// After an error, the contents of `file` are undefined.
    ///
    /// - `path`: The path of `file`, for errors.
    /// - `known`: If the server still has this version, the download fails with ``TransferError/notModified(address:)``.
    /// - `space`: Reserves disk space for the announced length, or for what arrives. If there is too little, `file` is
    ///   emptied, and the download fails with ``TransferError/noSpace(address:bytes:)``.
    /// - `check`: Receives the first bytes before the rest is downloaded, and throws
    ///   ``TransferError/rejected(address:reason:isOtherKind:)`` to end the download.
    /// - `progress`: Receives the length of each piece that arrives, on the thread of all transfers; it must not block.
    package func download(
        _ address: String, into file: borrowing FileDescriptor, path: String, limit: Int,
        unless known: FileVersion? = nil, space: SpaceReservations? = nil,
        start check: StartCheck? = nil,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(TransferError) -> DownloadResult {
        let start = try configuration.policy.requestURL(for: address, as: .media)
        let sink = FileSink(
            descriptor: file.rawValue, path: path, limit: limit, space: space, start: check,
            progress: progress)
        defer { space?.end(ObjectIdentifier(sink)) }
        let receivedBytes = { sink.receivedBytes }
        try await retrying(receivedBytes: receivedBytes) { () async throws(AttemptFailure) in
            guard let rest = sink.rest else {
                let wanted = known.map(WantedContents.allUnless) ?? .all
                try await follow(start, as: .media, wanting: wanted, into: sink)
                return
            }
            do throws(AttemptFailure) {
                try await follow(start, as: .media, wanting: .rest(rest), into: sink)
            } catch {
                guard error.isFinalAnswer else { throw error }
                // The server may refuse only the rest, as with status 416: the next attempt requests the whole file.
                sink.forgetResponse()
                throw AttemptFailure(error: error.error, remedy: .retry())
            }
        }
        return try sink.result(of: file)
    }

    // MARK: Attempts

    /// Calls `attempt` until it succeeds, or until another attempt would be pointless.
    ///
    /// `receivedBytes` returns how many bytes of the file are here. If it grew by ``RequestAttempts/bytesOfProgress`` beyond
    /// its former maximum, the count of attempts begins again.
    private func retrying<Result>(
        receivedBytes: () -> Int = { 0 },
        _ attempt: () async throws(AttemptFailure) -> Result
    ) async throws(TransferError) -> Result {
        var number = 1
        var mostBytes = 0
        while true {
            do throws(AttemptFailure) {
                return try await attempt()
            } catch {
                // This happens a limited number of times, even if the file begins again, because no file exceeds the limit.
                if receivedBytes() >= mostBytes + RequestAttempts.bytesOfProgress {
                    mostBytes = receivedBytes()
                    number = 1
                }
                guard let pause = retry.pause(after: error, attempt: number) else {
                    throw reportedError(of: error)
                }
                // If the task is cancelled, the wait ends, and the next attempt fails at once.
                try? await clock.sleep(for: pause)
            }
            number += 1
        }
    }

    /// The error that the caller receives after the last attempt failed.
    ///
    /// If the server asked for a pause, no request is sent to its host for that time.
    private func reportedError(of failure: AttemptFailure) -> TransferError {
        guard case .refused(let address, _, _) = failure.error, let pause = failure.requestedPause
        else { return failure.error }
        return .throttled(address: address, until: hosts.pause(pause.host, for: pause.seconds))
    }

    /// Throws if the task is cancelled, or if the host has asked for a pause, perhaps in its answer to another request.
    func checkMayRequest(_ address: WebURL) throws(AttemptFailure) {
        if Task.isCancelled { throw AttemptFailure(.cancelled) }
        if let until = hosts.endOfPause(of: address.host) {
            throw AttemptFailure(.throttled(address: address.redacted, until: until))
        }
    }
}

/// The settings of all requests of a ``Client``.
struct ClientConfiguration: Sendable {
    /// The `User-Agent`.
    let agent: String
    let policy: AddressPolicy
    let limits: RequestLimits
    /// The limit of all transfers together.
    let bandwidth: Bandwidth?
    let environment: NetworkEnvironment
    /// The bytes of all bodies so far.
    let receivedBytes = SharedValue(0)
}
