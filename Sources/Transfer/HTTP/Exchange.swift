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
    /// Why the last forbidden address of the host is forbidden.
    private var refusedPlace: TransferError?
    /// Whether another address of the host is permitted; then a failure is one of its connection.
    private var hasPermittedPlace = false
    private var hasEnough = false
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

    /// Called when the request is sent.
    func begin() {
        start = SuspendingClock().now
    }

    /// Receives one line of a head; `false` ends the exchange.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        // mutant: header-limit
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
        hasEnough = excerpt.count == Self.excerptLimit
        return !hasEnough
    }

    /// Opens the socket for a connection; returns -1 if the policy forbids its address.
    func openSocket(_ place: UnsafeMutablePointer<curl_sockaddr>) -> CInt {
        if !configuration.mayUseProxy(for: address), let ip = unsafe ipAddress(place), !permits(ip)
        {
            return -1
        }
        let place = unsafe place.pointee
        return socket(place.family, place.socktype | CInt(SOCK_CLOEXEC.rawValue), place.protocol)
    }

    /// Whether the policy permits a connection to `ip`, an address of the host.
    func permits(_ ip: IPAddress) -> Bool {
        // mutant: socket-policy
        if !configuration.policy.permits(ip, for: address) {
            let kind = ip.kind?.rawValue ?? "another address"
            refusedPlace = .forbidden(
                address: address.redacted, reason: "\(address.host) resolves to \(kind)".excerpt)
            return false
        }
        hasPermittedPlace = true
        return true
    }

    // MARK: The end

    /// Ends the exchange with the code of libcurl, `nil` if it was cancelled, and its description.
    func response(_ code: CURLcode?, _ explanation: String) throws(AttemptFailure) -> Response {
        configuration.metrics.addRequest()
        try check(code, explanation.excerpt)
        if head.isSuccess { try request.sink.finish(head) }
        return Response(head: head, excerpt: excerpt)
    }

    private func check(_ code: CURLcode?, _ reason: String) throws(AttemptFailure) {
        if let failure { throw failure }
        guard let code else { throw AttemptFailure(.cancelled) }
        if code == CURLE_OK || hasEnough { return }
        // The body of an error may be incomplete.
        if code == CURLE_OPERATION_TIMEDOUT, head.isComplete, head.status >= 400 { return }
        if let refusedPlace, !hasPermittedPlace { throw AttemptFailure(refusedPlace) }

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
private func ipAddress(_ place: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
    let (inner, size): (Int?, Int) =
        switch unsafe place.pointee.family {
        case AF_INET: (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: (nil, 0)
        }
    // `addr` may be larger than its type: see CURLOPT_OPENSOCKETFUNCTION(3).
    guard let inner, let outer = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(place) + outer + inner, count: size)
    return unsafe IPAddress(bytes: Array(bytes))
}
