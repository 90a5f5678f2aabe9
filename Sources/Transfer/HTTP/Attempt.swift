/// One attempt at a transfer: the first request and its redirects.
struct Attempt: Sendable {
    let address: WebURL
    let role: AddressPolicy.Role
    /// Header lines, sent to redirected addresses, too: nothing secret.
    let headers: [String]
    let sink: any BodySink
    let policy: AddressPolicy
    let hosts: HostBackoff
    let limits: Limits
    let metrics: TransferMetrics

    /// Follows redirects until the body is in the sink.
    ///
    /// - Returns: The head of the final response: a success.
    func run(on loop: TransferLoop) async throws(AttemptFailure) -> ResponseHead {
        var address = address
        var deadline = ProgressDeadline(
            limits.minimumRate, total: role == .feed ? limits.list : nil)
        for hop in 0...limits.redirects {
            do {
                // mutant: redirect-policy
                try policy.check(address, as: role, isRedirect: hop > 0)
            } catch {
                throw AttemptFailure(error)
            }
            if let until = hosts.closed(address.host) {
                throw AttemptFailure(.throttled(address: address.redacted, until: until))
            }
            let response = try await loop.perform(
                Request(
                    address: address, headers: headers, isCompressible: role == .feed, sink: sink,
                    policy: policy, headerLimit: limits.headerBytes, deadline: deadline,
                    metrics: metrics))
            guard response.head.isRedirect else { return try success(of: response) }
            address = try next(response.head)
            deadline = response.deadline
        }
        throw .permanent(self.address, "more than \(limits.redirects) redirects")
    }

    private func next(_ head: ResponseHead) throws(AttemptFailure) -> WebURL {
        guard let location = head.headers["Location"] else {
            throw .permanent(head.address, "redirect without a Location header")
        }
        let next: WebURL
        do {
            next = try WebURL(location, relativeTo: head.address)
        } catch {
            throw AttemptFailure(error)
        }
        // mutant: no-downgrade
        guard head.address.scheme != "https" || next.scheme != "http" else {
            throw AttemptFailure(
                .forbidden(address: next.redacted, reason: "redirect from https to http"))
        }
        return next
    }

    private func success(of response: Response) throws(AttemptFailure) -> ResponseHead {
        let head = response.head
        if head.isSuccess { return head }
        if head.status == 304, headers.contains(where: FileVersion.isHeader) {
            throw AttemptFailure(.notModified(address: head.address.redacted))
        }
        guard head.status >= 400 else {
            throw .permanent(head.address, "unexpected status \(head.status)")
        }
        let error = TransferError.refused(
            address: head.address.redacted, status: head.status, body: response.excerpt)
        let pause = head.headers["Retry-After"].flatMap { hosts.pause($0) }
        throw AttemptFailure(error, request: pause.map { (head.address.host, $0) })
    }
}

/// One request to one address.
struct Request: Sendable {
    let address: WebURL
    /// Header lines: nothing secret.
    let headers: [String]
    /// The server may compress the body.
    let isCompressible: Bool
    /// Receives the body of a successful response.
    let sink: any BodySink
    let policy: AddressPolicy
    /// The maximum size of the headers in bytes.
    let headerLimit: Int
    /// Shared by the requests of one attempt.
    let deadline: ProgressDeadline
    let metrics: TransferMetrics
}

/// The response to a request, of any status.
struct Response: Sendable {
    let head: ResponseHead
    /// The start of the body of an unsuccessful response.
    let excerpt: [UInt8]
    /// The deadline after this response.
    let deadline: ProgressDeadline
}
