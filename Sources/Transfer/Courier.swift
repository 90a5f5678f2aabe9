internal import CCurl
internal import Platform

/// Carries one exchange after the other, on one thread, and keeps the connections between them.
final class Courier {
    private let multi = MultiHandle()
    private let profile: Profile

    init(_ profile: Profile) {
        self.profile = profile
    }

    /// Blocks until the exchange has ended well, or with a status that says otherwise.
    func carry(_ exchange: Exchange, for ticket: Ticket) throws(Setback) {
        let easy = EasyHandle()
        let headers = HeaderList(exchange.headers)
        easy.set(headers)
        prepare(easy, for: exchange.address)
        // Decided already: libcurl must not decide otherwise.
        easy.set(CURLOPT_PROXY, exchange.proxy ?? "")
        easy.set(CURLOPT_NOPROXY, "")
        trust(easy)
        limit(easy)
        connect(easy, to: exchange)
        if exchange.isCompressible { easy.set(CURLOPT_ACCEPT_ENCODING, "") }

        ticket.assign(multi)
        let code = withExtendedLifetime(exchange) {
            multi.perform(easy) { socket in
                exchange.socket = socket
                return ticket.isCancelled ? nil : exchange.timeLeft
            }
        }
        ticket.assign(nil)
        if ticket.isCancelled { throw Setback(.cancelled) }
        try judge(exchange, code, easy)
    }

    private func prepare(_ easy: borrowing EasyHandle, for address: Address) {
        easy.set(CURLOPT_URL, address.text)
        easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        easy.set(CURLOPT_FOLLOWLOCATION, 0)
        easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        easy.set(CURLOPT_USERAGENT, profile.agent)
        easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func trust(_ easy: borrowing EasyHandle) {
        guard let file = profile.caFile ?? Authorities.bundle else { return }
        easy.set(CURLOPT_CAINFO, file)
        // GnuTLS reads all certificates for each connection, and the directory has each one thrice:
        // 7 MB a connection in place of 3.6.
        easy.clear(CURLOPT_CAPATH)
    }

    private func limit(_ easy: borrowing EasyHandle) {
        let limits = profile.limits
        easy.set(CURLOPT_NOSIGNAL, 1)
        // A name that does not resolve must not hold up the end of a cancelled transfer.
        easy.set(CURLOPT_QUICK_EXIT, 1)
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect / .milliseconds(1)))
        easy.set(CURLOPT_LOW_SPEED_LIMIT, limits.stallSpeed)
        easy.set(CURLOPT_LOW_SPEED_TIME, Int(limits.stall / .seconds(1)))
        easy.set(CURLOPT_BUFFERSIZE, 64 << 10)
    }

    private func connect(_ easy: borrowing EasyHandle, to exchange: Exchange) {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        unsafe easy.set(CURLOPT_HEADERDATA, pointer: context)
        unsafe easy.set(CURLOPT_WRITEDATA, pointer: context)
        unsafe easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
        unsafe easy.set(CURLOPT_DEBUGDATA, pointer: context)
        unsafe easy.set(tracer: { _, kind, _, count, context in
            if kind == CURLINFO_DATA_IN { unsafe exchangeBehind(context).receive(raw: count) }
            return 0
        })
        unsafe easy.set(CURLOPT_HEADERFUNCTION) { data, size, count, context in
            let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
            return unsafe exchangeBehind(context).receive(line: line)
                ? line.count : refusal(line.count)
        }
        unsafe easy.set(CURLOPT_WRITEFUNCTION) { data, size, count, context in
            let body = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
            return unsafe exchangeBehind(context).receive(body: body)
                ? body.count : refusal(body.count)
        }
        unsafe easy.set(
            socketOpener: { context, _, place in
                guard let place = unsafe place else { return -1 }
                return unsafe exchangeBehind(context).openSocket(place)
            })
    }

    private func judge(
        _ exchange: Exchange, _ code: CURLcode?, _ easy: borrowing EasyHandle
    ) throws(Setback) {
        if let failure = exchange.failure { throw failure }
        guard let code else {
            // What a refusal says in its body may be missing.
            if exchange.head.isRefusal { return }
            throw exchange.tooSlow
        }
        if code == CURLE_OK || exchange.hasEnough { return }
        if let refusal = exchange.refusedPlace { throw Setback(refusal) }

        let address = exchange.address.shown
        let reason = easy.explanation(of: code).excerpt
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            // A certificate does not become a better one in a few seconds.
            throw Setback(.unreachable(address: address, reason: reason), isWorthRetrying: false)
        case CURLE_URL_MALFORMAT:
            throw Setback(.forbidden(address: address, reason: "it is no address: \(reason)"))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            throw Setback(.broken(address: address, reason: reason))
        case CURLE_OPERATION_TIMEDOUT:
            throw Setback(.unreachable(address: address, reason: reason))
        default:
            throw Setback(
                exchange.head.isComplete
                    ? .broken(address: address, reason: reason)
                    : .unreachable(address: address, reason: reason))
        }
    }
}

/// The exchange that a callback of libcurl is about; ``Courier/carry(_:for:)`` keeps it alive.
private func exchangeBehind(_ context: UnsafeMutableRawPointer?) -> Exchange {
    guard let context = unsafe context else { fatalError("libcurl forgot the exchange") }
    return unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
}

/// Any number but that of the bytes ends a transfer; see CURLOPT_WRITEFUNCTION(3).
private func refusal(_ count: Int) -> Int {
    count == 0 ? 1 : 0
}
