internal import Platform

/// One attempt at a transfer; ``Client`` decides by its ``AttemptFailure`` whether another one follows.
extension Client {
    /// Sends a request to `start`, and follows redirects until the body is in `sink`.
    ///
    /// The lines of `headers` are sent to redirected addresses, too: nothing secret. Cookies are sent to the hosts that
    /// set them on the way, and forgotten at the end: a host may redirect to the same address until it gets its own.
    ///
    /// - Returns: The head of the final response: a success.
    func follow(
        _ start: WebURL, as role: AddressPolicy.Role, headers: [String], into sink: any BodySink,
        whenSlow: @escaping @Sendable () -> Void = {}
    ) async throws(AttemptFailure) -> ResponseHead {
        let limits = configuration.limits
        var address = start
        // Some sites set a cookie, and redirect to the same address.
        var cookies: [String] = []
        for hop in 0...limits.redirects {
            do {
                // mutation test: redirect-policy
                try configuration.policy.check(address, as: role, isRedirect: hop > 0)
                // Meanwhile the task may be cancelled, or the host may have sent a Retry-After.
                try checkMayRequest(address)
            } catch {
                throw AttemptFailure(error)
            }
            let response = try await loop.perform(
                Request(
                    address: address, role: role, headers: headers, cookies: cookies, sink: sink,
                    whenSlow: whenSlow))
            guard response.head.isRedirect else {
                try checkSuccess(of: response, to: headers)
                return response.head
            }
            address = try redirectTarget(of: response.head)
            cookies = response.cookies
        }
        throw .permanent(start, "more than \(limits.redirects) redirects")
    }

    private func redirectTarget(of head: ResponseHead) throws(AttemptFailure) -> WebURL {
        guard let location = head.headers["Location"] else {
            throw .permanent(head.address, "redirect without a Location header")
        }
        do throws(TransferError) {
            let next = try WebURL(location, relativeTo: head.address)
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
        of response: Response, to headers: [String]
    ) throws(AttemptFailure) {
        let head = response.head
        if head.isSuccess { return }
        // Without such a line there is nothing that could be unmodified.
        if head.status == 304, headers.contains(where: FileVersion.isHeader) {
            throw AttemptFailure(.notModified(address: head.address.redacted))
        }
        guard head.status >= 400 else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        let error = TransferError.refused(
            address: head.address.redacted, status: head.status, body: response.errorBody)
        let length = head.headers["Retry-After"].flatMap { hosts.retryAfter($0) }
        throw AttemptFailure(
            error, pause: length.map { .init(host: head.address.host, length: $0) })
    }
}

/// One request to one address.
struct Request: Sendable {
    let address: WebURL
    let role: AddressPolicy.Role
    /// Header lines: nothing secret.
    let headers: [String]
    /// What ``Response/cookies`` of an earlier request are; libcurl sends each only to the host that set it.
    var cookies: [String] = []
    /// Receives the body of a successful response.
    let sink: any BodySink
    /// Called, perhaps several times, while the transfer is slow; must not block.
    var whenSlow: @Sendable () -> Void = {}
}

/// The response to a request, of any status.
struct Response: Sendable {
    let head: ResponseHead
    /// The start of the body of an unsuccessful response.
    let errorBody: [UInt8]
    /// Those of the request and of the response, as libcurl writes them.
    var cookies: [String] = []
}

/// Why one attempt at a request failed, and whether ``RequestAttempts`` allows another one.
struct AttemptFailure: Error {
    let error: TransferError
    /// Whether the same request may well succeed a moment later.
    let isWorthRetrying: Bool
    /// The `Retry-After` of the response.
    let pause: HostPause?

    /// How long a host wants no request.
    struct HostPause {
        let host: String
        let length: RetryAfter
    }

    init(_ error: TransferError, isWorthRetrying: Bool? = nil, pause: HostPause? = nil) {
        self.error = error
        self.isWorthRetrying = isWorthRetrying ?? Self.isWorthRetrying(error)
        self.pause = pause
    }

    private static func isWorthRetrying(_ error: TransferError) -> Bool {
        switch error {
        case .unreachable, .broken: true
        // Timeout, too early, too many requests, and errors of the server that pass; see RFC 9110, 15.
        case .refused(_, let status, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
        case .forbidden, .throttled, .tooLong, .rejected, .noSpace, .file, .cancelled, .notModified:
            false
        }
    }

    /// An invalid response that another attempt would not change.
    static func permanent(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(
            .broken(address: address.redacted, reason: reason.excerpt), isWorthRetrying: false)
    }

    /// A response that was damaged or cut off in transfer.
    static func broken(_ address: WebURL, _ reason: String) -> AttemptFailure {
        AttemptFailure(.broken(address: address.redacted, reason: reason.excerpt))
    }
}
