/// One attempt at a transfer.
extension Client {
    /// Sends a request to `start`, and follows redirects until the body is in `sink`.
    ///
    /// The lines of `headers` are sent to redirected addresses, too: nothing secret.
    ///
    /// - Returns: The head of the final response: a success.
    func follow(
        _ start: WebURL, as role: AddressPolicy.Role, headers: [String], into sink: any BodySink,
        whenSlow: @escaping @Sendable () -> Void
    ) async throws(AttemptFailure) -> ResponseHead {
        let limits = configuration.limits
        var address = start
        var deadline = ProgressDeadline(
            limits.minimumRate, total: role == .feed ? limits.list : nil)
        for hop in 0...limits.redirects {
            let proxy: Proxy?
            do {
                // mutant: redirect-policy
                try configuration.policy.check(address, as: role, isRedirect: hop > 0)
                proxy = try Proxy.named(for: address, in: configuration.variable)
                try open(address)
            } catch {
                throw AttemptFailure(error)
            }
            let response = try await loop.perform(
                Request(
                    address: address, proxy: proxy, headers: headers,
                    isCompressible: role == .feed, sink: sink, deadline: deadline,
                    whenSlow: whenSlow))
            guard response.head.isRedirect else { return try success(of: response, headers) }
            address = try redirect(response.head)
            deadline = response.deadline
        }
        throw .permanent(start, "more than \(limits.redirects) redirects")
    }

    private func redirect(_ head: ResponseHead) throws(AttemptFailure) -> WebURL {
        guard let location = head.headers["Location"] else {
            throw .permanent(head.address, "redirect without a Location header")
        }
        do throws(TransferError) {
            let next = try WebURL(location, relativeTo: head.address)
            // mutant: no-downgrade
            guard head.address.scheme != "https" || next.scheme != "http" else {
                throw .forbidden(address: next.redacted, reason: "redirect from https to http")
            }
            return next
        } catch {
            throw AttemptFailure(error)
        }
    }

    private func success(
        of response: Response, _ headers: [String]
    ) throws(AttemptFailure) -> ResponseHead {
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
    let proxy: Proxy?
    /// Header lines: nothing secret.
    let headers: [String]
    /// The server may compress the body.
    let isCompressible: Bool
    /// Receives the body of a successful response.
    let sink: any BodySink
    /// Shared by the requests of one attempt.
    let deadline: ProgressDeadline
    /// Called, perhaps several times, while the transfer is slow; must not block.
    var whenSlow: @Sendable () -> Void = {}
}

/// The response to a request, of any status.
struct Response: Sendable {
    let head: ResponseHead
    /// The start of the body of an unsuccessful response.
    let excerpt: [UInt8]
    /// The deadline after this response.
    let deadline: ProgressDeadline
}
