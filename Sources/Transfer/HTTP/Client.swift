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
        let head = try await retrying {
            try checkMayRequest(start)
            try await listPace.wait()
            return try await follow(start, as: role, into: sink)
        }
        return BufferedResponse(headers: head.headers, body: sink.body)
    }

    /// Downloads a file into `file`, which is emptied when the response begins, and hashes it at the end.
    ///
    /// If an attempt breaks off, the next one requests only the rest of the file, provided that the server names the version
    /// of the file. After an error, the contents of `file` are undefined.
    ///
    /// - `known`: If the server still has this version, the download fails with ``TransferError/notModified(address:)``.
    /// - `space`: Reserves disk space for the announced length, or for what arrives. If there is too little, `file` is
    ///   emptied, and the download fails with ``TransferError/noSpace(address:bytes:)``.
    /// - `check`: Receives the first bytes before the rest is downloaded, and throws
    ///   ``TransferError/rejected(address:reason:isOtherKind:)`` to end the download.
    /// - `progress`: Receives the length of each piece that arrives, on the thread of all transfers; it must not block.
    package func download(
        _ address: String, into file: borrowing FileDescriptor, limit: Int,
        unless known: FileVersion? = nil, space: SpaceReservations? = nil,
        start check: StartCheck? = nil,
        progress: (@Sendable (Int) -> Void)? = nil
    ) async throws(TransferError) -> DownloadResult {
        let start = try configuration.policy.requestURL(for: address, as: .media)
        let sink = FileSink(
            descriptor: file.rawValue, limit: limit, space: space, start: check, progress: progress)
        defer { space?.end(ObjectIdentifier(sink)) }
        let lastHead = try await retrying(receivedBytes: { sink.bytes }) {
            try checkMayRequest(start)
            let rest = sink.rest
            do throws(AttemptFailure) {
                return try await follow(start, as: .media, unless: known, rest: rest, into: sink)
            } catch {
                guard rest != nil, error.isFinalAnswer else { throw error }
                // The server may refuse only the rest, as with status 416: the next attempt requests the whole file.
                sink.forgetResponse()
                throw AttemptFailure(error.error, .retry())
            }
        }
        let head = sink.head ?? lastHead
        return DownloadResult(
            address: head.address.text, bytes: sink.bytes, sha256: try sink.hash(of: file),
            etag: head.headers["etag"], lastModified: head.headers["last-modified"])
    }

    // MARK: Attempts

    /// Calls `attempt` until it succeeds, or until another attempt would be pointless.
    ///
    /// `attempt` throws ``AttemptFailure`` if its request failed, and ``TransferError`` if it sent none. `receivedBytes`
    /// returns how much of the file is on the disk: if it grew by ``RequestAttempts/bytesOfProgress`` beyond its former
    /// maximum, the count of attempts begins again.
    private func retrying(
        receivedBytes: () -> Int = { 0 }, _ attempt: () async throws -> ResponseHead
    ) async throws(TransferError) -> ResponseHead {
        var number = 1
        var mostBytes = 0
        do {
            while true {
                do {
                    return try await attempt()
                } catch let failure as AttemptFailure {
                    // This happens a limited number of times, even if the file begins again: it never exceeds its length.
                    if receivedBytes() >= mostBytes + RequestAttempts.bytesOfProgress {
                        mostBytes = receivedBytes()
                        number = 1
                    }
                    let random = Double.random(in: 0...1)
                    guard let pause = retry.pause(after: failure, attempt: number, random: random)
                    else { throw reportedError(pausingHostAfter: failure) }
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

    /// Returns the error of the last attempt; if the server asked for a pause, stops requests to its host for that time.
    private func reportedError(pausingHostAfter failure: AttemptFailure) -> TransferError {
        guard case .refused(let address, _, _) = failure.error, let pause = failure.pause else {
            return failure.error
        }
        return .throttled(address: address, until: hosts.pause(pause.host, for: pause.seconds))
    }

    /// Throws if the task is cancelled, or if the host asked for a pause; to be called before a wait and after it.
    private func checkMayRequest(_ address: WebURL) throws(TransferError) {
        if Task.isCancelled { throw .cancelled }
        if let until = hosts.endOfPause(of: address.host) {
            throw .throttled(address: address.redacted, until: until)
        }
    }

    /// Makes one attempt: requests `start`, and follows redirects until the body is in `sink`.
    ///
    /// Each redirected request also asks for any version but `known`, or for the `rest` of the file. Cookies are sent back
    /// during the attempt, because some hosts redirect to the same address until they get their cookie.
    ///
    /// - Returns: The head of the final response, a successful one.
    private func follow(
        _ start: WebURL, as role: AddressPolicy.Role, unless known: FileVersion? = nil,
        rest: FileRest? = nil, into sink: any BodySink
    ) async throws(AttemptFailure) -> ResponseHead {
        let limits = configuration.limits
        var address = start
        var cookies: [String] = []
        for hop in 0...limits.maximumRedirects {
            do {
                // mutation test: redirect-policy
                try configuration.policy.check(address, as: role, isRedirect: hop > 0)
                // The task may be cancelled by now, and another request may have received a Retry-After.
                try checkMayRequest(address)
            } catch {
                throw AttemptFailure(error)
            }
            let response = try await perform(
                Request(
                    address: address, role: role,
                    headers: rest?.headers ?? known.map { [$0.header] } ?? [], cookies: cookies,
                    sink: sink))
            guard response.head.isRedirect else {
                try checkSuccess(of: response, unless: known)
                return response.head
            }
            address = try redirectTarget(of: response.head)
            cookies = response.cookies
        }
        throw .permanent(start, "more than \(limits.maximumRedirects) redirects")
    }

    /// Sends `request`, and once more without decoding if the `Content-Encoding` names no coding.
    private func perform(_ request: Request) async throws(AttemptFailure) -> Response {
        do throws(AttemptFailure) {
            return try await loop.perform(request)
        } catch {
            guard case .takeBodyAsItComes = error.remedy else { throw error }
            var request = request
            request.acceptsCodings = false
            return try await loop.perform(request)
        }
    }

    private func redirectTarget(of head: ResponseHead) throws(AttemptFailure) -> WebURL {
        guard let location = head.headers["location"] else {
            throw .permanent(head.address, "redirect without a Location header")
        }
        do throws(TransferError) {
            let next = try WebURL(location, relativeTo: head.address)
            // A server behind a proxy may know neither that its clients use https, nor their port.
            if head.address.scheme == "https", next.scheme == "http",
                next.host == head.address.host, [80, head.address.port].contains(next.port)
            {
                return head.address.at(next.path, query: next.query)
            }
            // mutation test: no-downgrade
            guard head.address.scheme != "https" || next.scheme != "http" else {
                throw .forbidden(address: next.redacted, reason: "redirect from https to http")
            }
            return next
        } catch {
            throw AttemptFailure(error)
        }
    }

    /// Throws unless `response`, which is no redirect, has a status of 200 to 299.
    private func checkSuccess(
        of response: Response, unless known: FileVersion?
    ) throws(AttemptFailure) {
        let head = response.head
        if head.isSuccess { return }
        // A request without a version cannot be answered with 304.
        if head.status == 304, known != nil {
            throw AttemptFailure(.notModified(address: head.address.redacted))
        }
        guard head.status >= 400 else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        let failure = AttemptFailure(
            .refused(
                address: head.address.redacted, status: head.status, body: response.errorBody))
        guard failure.isWorthRetrying,
            let seconds = head.headers["retry-after"].flatMap(hosts.seconds(ofRetryAfter:))
        else { throw failure }
        throw AttemptFailure(
            failure.error, .retry(.init(host: head.address.host, seconds: seconds)))
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
