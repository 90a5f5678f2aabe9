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
        for hop in 0...limits.redirects {
            do {
                // mutation test: redirect-policy
                try configuration.policy.check(address, as: role, isRedirect: hop > 0)
                try checkMayRequest(address)
            } catch {
                throw AttemptFailure(error)
            }
            let response = try await loop.perform(
                Request(
                    address: address, role: role, headers: headers, sink: sink,
                    whenSlow: whenSlow))
            guard response.head.isRedirect else { return try success(of: response, headers) }
            address = try redirect(response.head)
        }
        throw .permanent(start, "more than \(limits.redirects) redirects")
    }

    private func redirect(_ head: ResponseHead) throws(AttemptFailure) -> WebURL {
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
        throw AttemptFailure(error, pause: pause.map { (head.address.host, $0) })
    }
}

/// One request to one address.
struct Request: Sendable {
    let address: WebURL
    let role: AddressPolicy.Role
    /// Header lines: nothing secret.
    let headers: [String]
    /// Receives the body of a successful response.
    let sink: any BodySink
    /// Called, perhaps several times, while the transfer is slow; must not block.
    var whenSlow: @Sendable () -> Void = {}
}

/// The response to a request, of any status.
struct Response: Sendable {
    let head: ResponseHead
    /// The start of the body of an unsuccessful response.
    let excerpt: [UInt8]
}
