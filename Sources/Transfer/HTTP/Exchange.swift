internal import CCurl
internal import Glibc
internal import Platform

/// Receives the response to one request in pieces, checks each piece, and returns the result at the end.
///
/// ``CurlTransfer`` calls it from libcurl's callbacks, on the thread of all transfers.
final class Exchange {
    let request: Request
    let configuration: ClientConfiguration
    /// The proxy that the request goes to; `nil` if it goes to the host itself.
    let proxy: String?

    /// What the policy decided about the host's IP addresses, which libcurl tries one after the other.
    private enum AddressCheck {
        /// libcurl has tried no address.
        case none
        /// The policy refused each address so far; the error is that of the last one.
        case allRefused(TransferError)
        /// The policy permitted an address. If the request fails, it is not because another address was refused.
        case onePermitted
    }

    private var addressCheck = AddressCheck.none
    /// Whether the request was sent; until then, it may wait for a connection.
    private var isSent = false
    private(set) var head: ResponseHead
    /// The start of the body of an unsuccessful response, at most ``errorBodyLimit`` bytes.
    private var errorBody: [UInt8] = []
    private static let errorBodyLimit = 64 << 10
    /// Why this program ended the exchange; `nil` if only the server or libcurl may have ended it.
    private var failure: AttemptFailure?
    private var receivedHeaderBytes = 0
    private var receivedBodyBytes = 0

    init(_ request: Request, _ configuration: ClientConfiguration) {
        self.request = request
        self.configuration = configuration
        proxy = configuration.environment.proxy(for: request.address)
        head = ResponseHead(request.address)
    }

    private var address: WebURL { request.address }

    // MARK: What arrives

    /// To be called when there is a connection, just before the request is sent; see CURLOPT_PREREQFUNCTION(3).
    func willSend() { isSent = true }

    /// Receives a line of the status and headers; returns `false` to end the exchange.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        receivedHeaderBytes += line.count
        // mutation test: header-limit (see Tests/Mutants)
        guard receivedHeaderBytes <= configuration.limits.maximumHeaderBytes else {
            let limit = configuration.limits.maximumHeaderBytes
            failure = .permanent(address, "its headers are longer than \(limit) bytes")
            return false
        }
        // Trailers, which follow the body, are ignored.
        guard !head.hasEnd else { return true }
        unsafe head.add(line)
        guard head.hasEnd, head.isSuccess else { return true }
        return recordingFailure { () throws(AttemptFailure) in
            try checkAnnouncedLength()
            try request.sink.begin(head)
        }
    }

    private func checkAnnouncedLength() throws(AttemptFailure) {
        // A body in chunks marks its end itself: then an unreadable Content-Length does no harm.
        let hasChunks = head.headers["transfer-encoding"] != nil
        if !hasChunks, head.headers["content-length"] != nil, head.contentLength == nil {
            throw AttemptFailure(
                .broken(address: address.redacted, reason: "unreadable Content-Length"))
        }
        try checkLength(head.contentLength ?? 0)
    }

    /// Receives the next piece of the body; returns `false` to end the exchange.
    func receive(body: UnsafeRawBufferPointer) -> Bool {
        receivedBodyBytes += body.count
        configuration.receivedBytes.withLock { $0 += body.count }
        if head.isSuccess {
            return recordingFailure { () throws(AttemptFailure) in
                try checkLength(receivedBodyBytes)
                try unsafe request.sink.write(body, from: address)
            }
        }
        unsafe errorBody.append(contentsOf: body.prefix(Self.errorBodyLimit - errorBody.count))
        return errorBody.count < Self.errorBodyLimit
    }

    /// Throws if a body of this length in bytes is too long for the sink.
    private func checkLength(_ bytes: Int) throws(AttemptFailure) {
        // mutation test: body-limit
        guard bytes <= request.sink.limit else {
            throw AttemptFailure(.tooLong(address: address.redacted, limit: request.sink.limit))
        }
    }

    /// Whether the connection that libcurl is about to open is permitted.
    ///
    /// With a proxy, `target` is the address of the proxy, which is not checked, because the user chose the proxy.
    func permitsConnection(to target: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        guard proxy == nil else { return true }
        return unsafe ipAddress(target).map(permits) ?? false
    }

    /// Whether the policy permits a connection to `ip`, to which the name of the host resolves; remembers the decision.
    func permits(_ ip: IPAddress) -> Bool {
        // mutation test: socket-policy
        if !configuration.policy.permits(ip, for: address) {
            if case .onePermitted = addressCheck { return false }
            addressCheck = .allRefused(
                .blocked(
                    address: address.redacted,
                    reason:
                        "\(address.host) resolves to \(ip), a private address; if a proxy of your network"
                        + " resolves names, name it in \(address.scheme)_proxy"))
            return false
        }
        addressCheck = .onePermitted
        return true
    }

    // MARK: The end

    /// Ends the exchange, and finishes the sink of a successful response; to be called once.
    ///
    /// An unsuccessful response need not be complete, because its status and headers, such as `Retry-After`, say enough.
    func finish(_ end: TransferEnd) throws(AttemptFailure) -> Response {
        if let failure { throw failure }
        switch end {
        case .complete:
            // libcurl counts a connection that ends within the headers as the end of a response without a body.
            guard head.hasEnd else {
                throw AttemptFailure(
                    .broken(address: address.redacted, reason: "the headers broke off"))
            }
        case .failed(let code, let reason):
            let failure = failure(by: code, reason.excerpt)
            // The next attempt brings the body that could not be decoded.
            if case .takeBodyAsItComes = failure.remedy { throw failure }
            guard head.hasEnd, !head.isSuccess else { throw failure }
        case .cancelled: throw AttemptFailure(.cancelled)
        }
        if head.isSuccess { try request.sink.finish() }
        return Response(head: head, errorBody: errorBody)
    }

    /// The failure of a request that libcurl ended with the error `code` and the description `reason`.
    private func failure(by code: CURLcode, _ reason: String) -> AttemptFailure {
        if case .allRefused(let refusal) = addressCheck { return AttemptFailure(refusal) }
        let address = address.redacted
        // Only this description of libcurl repeats the proxy, whose address may contain a password; see libcurl-env(3).
        let isProxyUnusable = reason.hasPrefix("Unsupported proxy")
        let reason = isProxyUnusable ? "libcurl cannot use the proxy of the environment" : reason
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            // A certificate is still invalid a few seconds later.
            return AttemptFailure(
                error: .unreachable(address: address, reason: reason), remedy: .giveUp)
        case CURLE_OPERATION_TIMEDOUT where isSent:
            // By RequestLimits, the request had a minute or more: another attempt would hardly be faster.
            return AttemptFailure(
                error: .unreachable(
                    address: address, reason: "too slow: \(receivedBodyBytes) bytes; \(reason)"),
                remedy: .giveUp)
        case CURLE_URL_MALFORMAT:
            return AttemptFailure(
                .forbidden(address: address, reason: "it is not a URL: \(reason)"))
        case CURLE_BAD_CONTENT_ENCODING where head.codings.isEmpty:
            return AttemptFailure(
                error: .broken(address: address, reason: reason), remedy: .takeBodyAsItComes)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return AttemptFailure(.broken(address: address, reason: reason))
        case _ where head.hasEnd:
            // The host was reached, but the body broke off.
            return AttemptFailure(.broken(address: address, reason: reason))
        default:
            return AttemptFailure(.unreachable(address: address, reason: reason))
        }
    }

    /// Runs `body`; returns `false`, to end the exchange, if `body` throws an error, which becomes ``failure``.
    private func recordingFailure(_ body: () throws(AttemptFailure) -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }
}

/// The IP address in libcurl's description of a socket; `nil` if it is neither IPv4 nor IPv6.
private func ipAddress(_ target: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
    let (offset, size): (Int?, Int) =
        switch unsafe target.pointee.family {
        case AF_INET: (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: (nil, 0)
        }
    // `addr` may be larger than its type; see CURLOPT_OPENSOCKETFUNCTION(3).
    guard let offset, let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(target) + start + offset, count: size)
    return unsafe IPAddress(bytes: Array(bytes))
}
