/// One attempt at a transfer; ``Client`` decides by its ``AttemptFailure`` whether another one follows.
extension Client {
    /// Sends a request to `start`, and follows redirects until the body is in `sink`.
    ///
    /// The version `known`, or which `rest` of a file is wanted instead, is sent to redirected addresses, too. Cookies
    /// are sent to the hosts that set them on the way, and forgotten at the end: a host may redirect to the same address
    /// until it gets its own.
    ///
    /// - Returns: The head of the final response: a success.
    func follow(
        _ start: WebURL, as role: AddressPolicy.Role, unless known: FileVersion? = nil,
        rest: FileRest? = nil, into sink: any BodySink
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
        throw .permanent(start, "more than \(limits.redirects) redirects")
    }

    /// Sends `request`; again, and takes its body as it comes, if libcurl could not decode what has no coding.
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
        // Without a version there is nothing that could be unmodified.
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
            let seconds = head.headers["retry-after"].flatMap(hosts.retryAfter)
        else { throw failure }
        throw AttemptFailure(
            failure.error, .retry(.init(host: head.address.host, seconds: seconds)))
    }
}

/// One request to one address.
struct Request: Sendable {
    let address: WebURL
    let role: AddressPolicy.Role
    /// The header lines that say what of a file is to be sent.
    var headers: [String] = []
    /// What ``Response/cookies`` of an earlier request are; libcurl sends each only to the host that set it.
    var cookies: [String] = []
    /// Whether libcurl decodes the body of a feed or web page; a file is stored as it comes.
    var acceptsCodings = true
    /// Receives the body of a successful response.
    let sink: any BodySink
}

/// The response to a request, of any status.
struct Response: Sendable {
    let head: ResponseHead
    /// The start of the body of an unsuccessful response.
    let errorBody: [UInt8]
    /// Those of the request and of the response, as libcurl writes them.
    var cookies: [String] = []
}
