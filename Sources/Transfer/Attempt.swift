/// One attempt at a request: the address that was asked for, and those it leads to.
struct Attempt: Sendable {
    let address: Address
    let role: AddressPolicy.Role
    /// Lines that go to every address on the way: nothing secret.
    let headers: [String]
    let sink: any BodySink
    let policy: AddressPolicy
    let hosts: HostCalendar
    let limits: Limits
    let tally: Tally

    /// Blocks until the answer is in the sink.
    ///
    /// - Returns: The head of the answer: a success.
    func run(_ courier: Courier, _ ticket: Ticket) throws(Setback) -> Head {
        var address = address
        let deadline = ProgressDeadline(
            limits.minimumRate, total: role == .feed ? limits.list : nil)
        for hop in 0...limits.redirects {
            do {
                try policy.check(address, as: role, isRedirect: hop > 0)
            } catch {
                throw Setback(error)
            }
            let exchange = try ask(address, by: deadline, courier, ticket)
            guard exchange.head.isRedirect else { return try verdict(on: exchange) }
            address = try next(exchange.head)
        }
        throw .hopeless(self.address, "it was sent on more than \(limits.redirects) times")
    }

    private func ask(
        _ address: Address, by deadline: ProgressDeadline, _ courier: Courier, _ ticket: Ticket
    ) throws(Setback) -> Exchange {
        if let until = hosts.closed(address.host) {
            throw Setback(.throttled(address: address.shown, until: until))
        }
        let exchange = Exchange(
            address, headers: headers, isCompressible: role == .feed, sink: sink, policy: policy,
            headerLimit: limits.headerBytes, deadline: deadline)
        defer { tally.noteRequest(bytes: exchange.bodyBytes) }
        try courier.carry(exchange, for: ticket)
        return exchange
    }

    private func next(_ head: Head) throws(Setback) -> Address {
        guard let location = head.headers["Location"] else {
            throw .hopeless(head.address, "it was sent on to nowhere")
        }
        let next: Address
        do {
            next = try Address(location, relativeTo: head.address)
        } catch {
            throw Setback(error)
        }
        guard head.address.scheme != "https" || next.scheme != "http" else {
            throw Setback(
                .forbidden(address: next.shown, reason: "redirect from https to http"))
        }
        return next
    }

    private func verdict(on exchange: Exchange) throws(Setback) -> Head {
        let head = exchange.head
        if head.isSuccess {
            if exchange.isLongerThanPromised {
                throw .broken(head.address, "the body is longer than its Content-Length")
            }
            try sink.finish(head)
            return head
        }
        guard head.status >= 400 else {
            throw .hopeless(head.address, "nobody asked for a status of \(head.status)")
        }
        let error = TransferError.refused(
            address: head.address.shown, status: head.status, body: exchange.excerpt)
        let pause = head.headers["Retry-After"].flatMap { hosts.pause($0) }
        throw Setback(error, request: pause.map { (head.address.host, $0) })
    }
}
