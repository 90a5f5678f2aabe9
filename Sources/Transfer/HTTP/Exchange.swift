internal import CCurl
internal import Glibc
internal import Platform

/// One request and its response, received in pieces on the thread of the loop.
final class Exchange {
    /// The maximum size of the stored start of an unsuccessful body.
    private static let excerptLimit = 64 << 10

    let request: Request
    let configuration: ClientConfiguration
    /// When the request was sent; `nil` while it waits for a connection.
    private var start: SuspendingClock.Instant?

    private(set) var head: ResponseHead
    private var excerpt: [UInt8] = []
    /// Why this side ended the exchange.
    private var failure: AttemptFailure?
    /// Why the policy forbids the last address of the host that it forbids.
    private var forbiddenAddress: TransferError?
    /// Whether the policy permits another address of the host; then a failure is one of its connection.
    private var hasPermittedAddress = false
    /// Whether this side ended the exchange because ``excerpt`` is full.
    private var isExcerptFull = false
    private var headerBytes = 0
    /// The received bytes of the body.
    private var bodyBytes = 0

    init(_ request: Request, _ configuration: ClientConfiguration) {
        self.request = request
        self.configuration = configuration
        head = ResponseHead(request.address)
    }

    /// Whether it is below the minimum rate so far, a few seconds after its start: it may still become faster.
    var isSlow: Bool {
        guard let start else { return false }
        let time = start.duration(to: SuspendingClock().now)
        return time >= configuration.limits.grace
            && Double(bodyBytes) < time / .seconds(1) * Double(configuration.limits.minimumRate)
    }

    private var address: WebURL { request.address }

    // MARK: What arrives

    /// Called when the request was sent.
    func didSend() {
        start = SuspendingClock().now
    }

    /// Receives one line of a head; `false` ends the exchange.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        // mutation test: header-limit
        guard headerBytes <= configuration.limits.headerBytes else {
            let limit = configuration.limits.headerBytes
            failure = .permanent(address, "its headers are longer than \(limit) bytes")
            return false
        }
        // Trailers are ignored.
        guard !head.isComplete else { return true }
        unsafe head.add(line)
        guard head.isComplete, head.isSuccess else { return true }
        return attempt { () throws(AttemptFailure) in
            // Otherwise the length does not count; see RFC 9112, 6.3.
            let isChunked = head.headers["Transfer-Encoding"] != nil
            guard
                isChunked || head.headers["Content-Length"] == nil
                    || head.headers.contentLength != nil
            else { throw .broken(address, "unreadable Content-Length") }
            try request.sink.begin(head)
        }
    }

    /// Receives the next piece of the body; `false` ends the exchange.
    func receive(body: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += body.count
        configuration.metrics.add(bytes: body.count)
        if head.isSuccess {
            return attempt { () throws(AttemptFailure) in try unsafe request.sink.write(body) }
        }
        unsafe excerpt.append(contentsOf: body.prefix(Self.excerptLimit - excerpt.count))
        isExcerptFull = excerpt.count == Self.excerptLimit
        return !isExcerptFull
    }

    /// Opens the socket for a connection; returns -1 if the policy forbids its address.
    func openSocket(to target: UnsafeMutablePointer<curl_sockaddr>) -> CInt {
        if !configuration.mayUseProxy(for: address), let ip = unsafe ipAddress(target), !permits(ip)
        {
            return -1
        }
        let target = unsafe target.pointee
        return socket(
            target.family, target.socktype | CInt(SOCK_CLOEXEC.rawValue), target.protocol)
    }

    /// Whether the policy permits a connection to `ip`, an address of the host.
    func permits(_ ip: IPAddress) -> Bool {
        // mutation test: socket-policy
        if !configuration.policy.permits(ip, for: address) {
            let kind = ip.kind?.rawValue ?? "another address"
            forbiddenAddress = .forbidden(
                address: address.redacted, reason: "\(address.host) resolves to \(kind)".excerpt)
            return false
        }
        hasPermittedAddress = true
        return true
    }

    // MARK: The end

    /// Ends the exchange with the code of libcurl, `nil` if it was cancelled, and its description.
    func response(_ code: CURLcode?, _ explanation: String) throws(AttemptFailure) -> Response {
        configuration.metrics.addRequest()
        try check(code, explanation.excerpt)
        if head.isSuccess { try request.sink.finish() }
        return Response(head: head, excerpt: excerpt)
    }

    /// Throws unless there is a response to return, of any status.
    private func check(_ code: CURLcode?, _ reason: String) throws(AttemptFailure) {
        if let failure { throw failure }
        guard let code else { throw AttemptFailure(.cancelled) }
        if code == CURLE_OK || isExcerptFull { return }
        // The body of an error may be incomplete.
        if code == CURLE_OPERATION_TIMEDOUT, head.isComplete, head.status >= 400 { return }
        if let forbiddenAddress, !hasPermittedAddress { throw AttemptFailure(forbiddenAddress) }

        let address = address.redacted
        // The rest of the description has the password of the proxy.
        let isProxyUnusable = reason.hasPrefix("Unsupported proxy")
        let reason = isProxyUnusable ? "libcurl cannot use the proxy of the environment" : reason
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            // A certificate stays invalid for more than a few seconds.
            throw AttemptFailure(
                .unreachable(address: address, reason: reason), isWorthRetrying: false)
        case CURLE_OPERATION_TIMEDOUT where start != nil:
            // A server that is too slow is so a second time.
            throw AttemptFailure(
                .unreachable(address: address, reason: "too slow: \(bodyBytes) bytes; \(reason)"),
                isWorthRetrying: false)
        case CURLE_URL_MALFORMAT:
            throw AttemptFailure(.forbidden(address: address, reason: "it is not a URL: \(reason)"))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            _ where head.isComplete:
            throw AttemptFailure(.broken(address: address, reason: reason))
        default:
            throw AttemptFailure(.unreachable(address: address, reason: reason))
        }
    }

    /// Runs `body`; after an error, which becomes ``failure``, returns `false` to end the exchange.
    private func attempt(_ body: () throws(AttemptFailure) -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }
}

/// The address of a socket; `nil` if it is neither IPv4 nor IPv6.
private func ipAddress(_ target: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
    let (inner, size): (Int?, Int) =
        switch unsafe target.pointee.family {
        case AF_INET: (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: (nil, 0)
        }
    // `addr` may be larger than its type: see CURLOPT_OPENSOCKETFUNCTION(3).
    guard let inner, let outer = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(target) + outer + inner, count: size)
    return unsafe IPAddress(bytes: Array(bytes))
}
