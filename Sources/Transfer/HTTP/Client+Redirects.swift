/// Makes one attempt at a request: follows its redirects, and checks the final response.
extension Client {
    /// Requests `start`, and follows redirects until the body of a successful response is in `sink`.
    ///
    /// The policy permits `start`, and is asked for each redirect. Each redirected request also asks for the `wanted` contents.
    /// Cookies are sent back during the attempt, because some hosts redirect to the same address until they get their cookie.
    ///
    /// - Returns: The head of the final response.
    @discardableResult
    func follow(
        _ start: WebURL, as role: AddressPolicy.Role, wanting wanted: WantedContents,
        into sink: any BodySink
    ) async throws(AttemptFailure) -> ResponseHead {
        let maximum = configuration.limits.maximumRedirects
        var address = start
        var cookies: [String] = []
        var redirects = 0
        while true {
            try checkMayRequest(address)
            let response = try await perform(
                Request(address: address, role: role, wanted: wanted, cookies: cookies, sink: sink))
            guard response.head.isRedirect else {
                try checkSuccess(of: response, wanting: wanted)
                return response.head
            }
            address = try redirectTarget(of: response.head)
            redirects += 1
            guard redirects <= maximum else {
                throw .permanent(start, "more than \(maximum) redirects")
            }
            // mutation test: redirect-policy (see Tests/Mutants)
            try checkPolicy(ofRedirectTo: address, as: role)
            cookies = response.cookies
        }
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

    // MARK: Redirects

    private func checkPolicy(
        ofRedirectTo address: WebURL, as role: AddressPolicy.Role
    ) throws(AttemptFailure) {
        try attempting { () throws(TransferError) in
            try configuration.policy.check(address, as: role, isRedirect: true)
        }
    }

    private func redirectTarget(of head: ResponseHead) throws(AttemptFailure) -> WebURL {
        guard let location = head.headers["location"] else {
            throw .permanent(head.address, "redirect without a Location header")
        }
        let target = try attempting { () throws(TransferError) in
            try WebURL(location, relativeTo: head.address)
        }
        let leavesHTTPS = head.address.scheme == "https" && target.scheme == "http"
        // A server behind a proxy may know neither that its clients use https, nor their port.
        let possiblePorts = [80, head.address.port]
        if leavesHTTPS, target.host == head.address.host, possiblePorts.contains(target.port) {
            return head.address.at(target.path, query: target.query)
        }
        // mutation test: no-downgrade
        guard !leavesHTTPS else {
            throw AttemptFailure(
                .forbidden(address: target.redacted, reason: "redirect from https to http"))
        }
        return target
    }

    // MARK: The final response

    /// Throws unless `response`, which is no redirect, has a status of 200 to 299.
    private func checkSuccess(
        of response: Response, wanting wanted: WantedContents
    ) throws(AttemptFailure) {
        let head = response.head
        if head.isSuccess { return }
        // Only a request that names a version can be answered with 304.
        if head.status == 304, case .allUnless = wanted {
            throw AttemptFailure(.notModified(address: head.address.redacted))
        }
        guard head.status >= 400 else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        throw failure(byRefusal: response)
    }

    /// The failure of an attempt that ended with a status of 400 or more; if it may be repeated, with the requested pause.
    private func failure(byRefusal response: Response) -> AttemptFailure {
        let head = response.head
        let failure = AttemptFailure(
            .refused(
                address: head.address.redacted, status: head.status, body: response.errorBody))
        guard failure.isWorthRetrying,
            let seconds = head.headers["retry-after"].flatMap(hosts.seconds(ofRetryAfter:))
        else { return failure }
        let pause = AttemptFailure.RequestedPause(host: head.address.host, seconds: seconds)
        return AttemptFailure(error: failure.error, remedy: .retry(after: pause))
    }
}
