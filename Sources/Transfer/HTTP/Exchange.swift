internal import CCurl
internal import Glibc
internal import Platform

/// One request and its response, which libcurl delivers in pieces: checks each piece, and says at the end what became of
/// the request.
///
/// ``CurlTransfer`` passes libcurl's callbacks on to it, on the thread of all transfers.
final class Exchange {
    let request: Request
    let configuration: ClientConfiguration
    /// The proxy that the request goes to; `nil` if it goes to the host itself.
    let proxy: String?

    /// What the policy said of the addresses of the host, which libcurl tries one after the other.
    private enum AddressCheck {
        case none
        /// Each was refused, the last one for this reason.
        case allRefused(TransferError)
        /// One was permitted: a refusal of another one is not why the request failed.
        case onePermitted
    }

    private var addressCheck = AddressCheck.none
    /// Whether there was a connection, for which a request may wait, and the request was sent.
    private var isSent = false
    private(set) var head: ResponseHead
    /// The start of the body of an unsuccessful response, at most ``errorBodyLimit`` bytes.
    private var errorBody: [UInt8] = []
    private static let errorBodyLimit = 64 << 10
    /// Why this side ended the exchange; `nil` if it did not.
    private var failure: AttemptFailure?
    /// The received bytes of the status line and headers.
    private var headerBytes = 0
    /// The received bytes of the body.
    private var bodyBytes = 0

    init(_ request: Request, _ configuration: ClientConfiguration) {
        self.request = request
        self.configuration = configuration
        proxy = configuration.environment.proxy(for: request.address)
        head = ResponseHead(request.address)
    }

    private var address: WebURL { request.address }

    // MARK: What arrives

    /// Called when there is a connection, just before the request is sent; see CURLOPT_PREREQFUNCTION(3).
    func willSend() { isSent = true }

    /// Receives one line of the status and headers; `false` ends the exchange.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        // mutation test: header-limit
        guard headerBytes <= configuration.limits.headerBytes else {
            let limit = configuration.limits.headerBytes
            failure = .permanent(address, "its headers are longer than \(limit) bytes")
            return false
        }
        // Trailers are ignored.
        guard !head.hasEnd else { return true }
        unsafe head.add(line)
        guard head.hasEnd, head.isSuccess else { return true }
        return attempt { () throws(AttemptFailure) in
            try checkAnnouncedLength()
            try request.sink.begin(head)
        }
    }

    private func checkAnnouncedLength() throws(AttemptFailure) {
        // With Transfer-Encoding, an unreadable Content-Length does no harm.
        let countsLength = head.headers["transfer-encoding"] == nil
        if countsLength, head.headers["content-length"] != nil, head.contentLength == nil {
            throw AttemptFailure(
                .broken(address: address.redacted, reason: "unreadable Content-Length"))
        }
        try checkLength(head.contentLength ?? 0)
    }

    /// Receives the next piece of the body; `false` ends the exchange.
    func receive(body: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += body.count
        configuration.receivedBytes.withLock { $0 += body.count }
        if head.isSuccess {
            return attempt { () throws(AttemptFailure) in
                try checkLength(bodyBytes)
                try unsafe request.sink.write(body, from: address)
            }
        }
        unsafe errorBody.append(contentsOf: body.prefix(Self.errorBodyLimit - errorBody.count))
        return errorBody.count < Self.errorBodyLimit
    }

    /// Throws if a body of so many bytes is too long for the sink.
    private func checkLength(_ bytes: Int) throws(AttemptFailure) {
        // mutation test: body-limit
        guard bytes <= request.sink.limit else {
            throw AttemptFailure(.tooLong(address: address.redacted, limit: request.sink.limit))
        }
    }

    /// Whether the policy permits the connection.
    ///
    /// With a proxy the address is not checked: it is that of the proxy, which the user chose, and which
    /// resolves the name of the host itself.
    func permitsConnection(to target: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        guard proxy == nil else { return true }
        return unsafe ipAddress(target).map(permits) ?? false
    }

    /// Whether the policy permits a connection to `ip`, an address of the host.
    func permits(_ ip: IPAddress) -> Bool {
        // mutation test: socket-policy
        if !configuration.policy.permits(ip, for: address) {
            if case .onePermitted = addressCheck { return false }
            addressCheck = .allRefused(
                .forbidden(
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

    /// Ends the exchange, once: finishes the sink of a successful one.
    ///
    /// - Returns: The response, of any status.
    func finish(_ end: TransferEnd) throws(AttemptFailure) -> Response {
        if let failure { throw failure }
        switch end {
        case .complete: break
        case .failed(let code, _) where isResult(withoutEndOfBody: code): break
        case .failed(let code, let reason): throw failure(by: code, reason.excerpt)
        case .cancelled: throw AttemptFailure(.cancelled)
        }
        if head.isSuccess { try request.sink.finish() }
        return Response(head: head, errorBody: errorBody)
    }

    /// What it means for the request that libcurl gave up; `reason` is its description.
    private func failure(by code: CURLcode, _ reason: String) -> AttemptFailure {
        if case .allRefused(let refusal) = addressCheck { return AttemptFailure(refusal) }
        let address = address.redacted
        // This description is the only one that repeats the proxy with its password; see libcurl-env(3).
        let isProxyUnusable = reason.hasPrefix("Unsupported proxy")
        let reason = isProxyUnusable ? "libcurl cannot use the proxy of the environment" : reason
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
            // A certificate stays invalid for more than a few seconds.
            return AttemptFailure(.unreachable(address: address, reason: reason), .none)
        case CURLE_OPERATION_TIMEDOUT where isSent:
            // It had a minute or more, see Limits: another attempt would hardly be faster.
            return AttemptFailure(
                .unreachable(address: address, reason: "too slow: \(bodyBytes) bytes; \(reason)"),
                .none)
        case CURLE_URL_MALFORMAT:
            return AttemptFailure(
                .forbidden(address: address, reason: "it is not a URL: \(reason)"))
        case CURLE_BAD_CONTENT_ENCODING where head.codings.isEmpty:
            return AttemptFailure(.broken(address: address, reason: reason), .takeBodyAsItComes)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return AttemptFailure(.broken(address: address, reason: reason))
        case _ where head.hasEnd:
            // The host was reached, but the body broke off.
            return AttemptFailure(.broken(address: address, reason: reason))
        default:
            return AttemptFailure(.unreachable(address: address, reason: reason))
        }
    }

    /// Whether a response without success is the result, although `code` ended it before the end of its body.
    ///
    /// The status and headers, such as `Location` and `Retry-After`, are enough. Only a 400 or 404 of a feed needs its
    /// body, which says what is missing: it is tried again, unless it was too slow or has ``errorBodyLimit`` bytes.
    private func isResult(withoutEndOfBody code: CURLcode) -> Bool {
        guard head.hasEnd, !head.isSuccess else { return false }
        let needsBody = request.role == .feed && [400, 404].contains(head.status)
        return !needsBody || code == CURLE_OPERATION_TIMEDOUT
            || errorBody.count == Self.errorBodyLimit
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
