internal import CCurl
internal import Glibc
internal import Platform

/// One request and its response, received in pieces on the thread of the loop.
final class Exchange {
    /// The maximum size of the stored start of an unsuccessful body.
    private static let excerptLimit = 64 << 10

    let request: Request
    let configuration: ClientConfiguration
    private let sockets: OpenSockets
    private var socket: CInt = -1
    /// When the exchange counts as too slow.
    var deadline: ProgressDeadline

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
    /// The same before decoding, including bytes after the announced end.
    private var rawBytes = 0
    /// The `Content-Length` of a successful response, unless the body is chunked.
    private var promisedBytes: Int?
    /// Whether the server sent more bytes than announced, which libcurl discards.
    private var isLongerThanPromised = false

    init(_ request: Request, _ configuration: ClientConfiguration, _ sockets: OpenSockets) {
        self.request = request
        self.configuration = configuration
        self.sockets = sockets
        deadline = request.deadline
        head = ResponseHead(request.address)
        deadline.wait()
    }

    private var address: WebURL { request.address }

    // MARK: What arrives

    /// Called when the request is sent, from the local port `port`.
    func begin(port: CInt) {
        deadline.begin()
        if address.scheme == "http", request.proxy == nil { socket = sockets.socket(at: port) }
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
            if head.headers["Transfer-Encoding"] == nil {
                promisedBytes = head.headers.contentLength
                guard promisedBytes != nil || head.headers["Content-Length"] == nil else {
                    throw .broken(address, "unreadable Content-Length")
                }
            }
            try request.sink.begin(head)
        }
    }

    /// Counts bytes of a body before they are decoded.
    func receive(raw count: Int) {
        guard let promised = promisedBytes else { return }
        rawBytes += count
        // libcurl stops reading at the announced end; after it, TLS may have bytes of its own.
        isLongerThanPromised =
            rawBytes > promised || rawBytes == promised && socket >= 0 && hasUnreadByte
    }

    private var hasUnreadByte: Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 1
    }

    /// Receives the next piece of the body; `false` ends the exchange.
    func receive(body: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += body.count
        deadline.received(body.count)
        if head.isSuccess {
            return attempt { () throws(AttemptFailure) in try unsafe request.sink.write(body) }
        }
        unsafe excerpt.append(contentsOf: body.prefix(Self.excerptLimit - excerpt.count))
        hasEnough = excerpt.count == Self.excerptLimit
        return !hasEnough
    }

    /// Opens the socket for a connection; returns -1 if the policy forbids its address.
    func openSocket(_ place: UnsafeMutablePointer<curl_sockaddr>) -> CInt {
        // With a proxy, this is the address of the proxy.
        if request.proxy == nil, let ip = unsafe ipAddress(place), !permits(ip) { return -1 }
        let place = unsafe place.pointee
        return sockets.open(place.family, place.socktype, place.protocol)
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

    /// Ends the exchange with the code of libcurl, `nil` if the time was up, and its description.
    func response(_ code: CURLcode?, _ explanation: String) throws(AttemptFailure) -> Response {
        configuration.metrics.addRequest(bytes: bodyBytes)
        try check(code, explanation.excerpt)
        if head.isSuccess {
            if isLongerThanPromised {
                throw .broken(address, "the body is longer than its Content-Length")
            }
            try request.sink.finish(head)
        }
        return Response(head: head, excerpt: excerpt, deadline: deadline)
    }

    private func check(_ code: CURLcode?, _ reason: String) throws(AttemptFailure) {
        if let failure { throw failure }
        guard let code else {
            // The body of an error may be incomplete.
            if head.isComplete, head.status >= 400 { return }
            throw overdue
        }
        if code == CURLE_OK || hasEnough { return }
        if let refusedPlace, !hasPermittedPlace { throw AttemptFailure(refusedPlace) }

        let address = address.redacted
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            // A certificate stays invalid for more than a few seconds.
            throw AttemptFailure(
                .unreachable(address: address, reason: reason), isWorthRetrying: false)
        case CURLE_URL_MALFORMAT:
            throw AttemptFailure(.forbidden(address: address, reason: "it is not a URL: \(reason)"))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            _ where head.isComplete && code != CURLE_OPERATION_TIMEDOUT:
            throw AttemptFailure(.broken(address: address, reason: reason))
        default:
            throw AttemptFailure(.unreachable(address: address, reason: reason))
        }
    }

    private var overdue: AttemptFailure {
        let isConnected = !deadline.hasWaitedTooLong
        let seconds = Int((deadline.elapsed / .seconds(1)).rounded())
        let reason =
            isConnected
            ? "too slow: \(bodyBytes) bytes in \(seconds) seconds" : "no connection was made"
        return AttemptFailure(
            .unreachable(address: address.redacted, reason: reason), isWorthRetrying: !isConnected)
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
