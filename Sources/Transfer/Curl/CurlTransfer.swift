internal import CCurl
internal import Glibc
internal import Platform

/// How a transfer of libcurl ended.
enum TransferEnd {
    case complete
    case failed(CURLcode, reason: String)
    case cancelled
}

/// Makes libcurl perform the request of an ``Exchange``: sets all options, and passes what arrives to the exchange.
///
/// ``TransferThread`` creates one for each request, runs its ``easy`` handle together with the others, and ends it. The
/// manual page of each option has the option's name, such as CURLOPT_PIPEWAIT(3).
final class CurlTransfer {
    let exchange: Exchange
    let easy: EasyHandle

    /// The file of certificate authorities that this libcurl reads by default; `nil` if it is not there.
    private static let systemAuthorities: String? = {
        guard let version = unsafe ccurl_version(),
            let name = unsafe version.pointee.cainfo, unsafe access(name, R_OK) == 0
        else { return nil }
        return unsafe String(cString: name)
    }()

    init(_ exchange: Exchange) {
        self.exchange = exchange
        easy = EasyHandle(headers: exchange.request.wanted.headers)
        setRequestOptions()
        setCertificates()
        setLimits()
        setCallbacks()
    }

    /// The end of this transfer, for which libcurl reports `code`.
    func end(by code: CURLcode) -> TransferEnd {
        code == CURLE_OK ? .complete : .failed(code, reason: explanation(of: code))
    }

    /// Ends the exchange, and returns the response; to be called once.
    func finish(_ end: TransferEnd) throws(AttemptFailure) -> Response {
        var response = try exchange.finish(end)
        response.cookies = easy.cookies
        return response
    }

    /// libcurl's description of an error; if a certificate has expired or is not valid yet, a sentence that says so.
    ///
    /// GnuTLS says only that the certificate is not valid. The cause may be a wrong clock of this machine.
    private func explanation(of code: CURLcode) -> String {
        let fields = code == CURLE_PEER_FAILED_VERIFICATION ? easy.certificateFields : []
        let now = time(nil)
        return fields.lazy.compactMap { reasonOfInvalidity(inField: $0, at: now) }.first
            ?? easy.explanation(of: code)
    }

    private var configuration: ClientConfiguration { exchange.configuration }

    // MARK: Options

    private func setRequestOptions() {
        easy.set(CURLOPT_URL, exchange.request.address.text)
        easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Client follows redirects itself, because it checks each address.
        easy.set(CURLOPT_FOLLOWLOCATION, 0)
        easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // An empty name reads no file, and keeps cookies in memory.
        easy.set(CURLOPT_COOKIEFILE, "")
        for cookie in exchange.request.cookies { easy.set(CURLOPT_COOKIELIST, cookie) }
        easy.set(CURLOPT_USERAGENT, configuration.agent)
        easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // With empty texts, libcurl does not read the environment, which NetworkEnvironment has read.
        easy.set(CURLOPT_PROXY, exchange.proxy ?? "")
        easy.set(CURLOPT_NOPROXY, "")
        // An empty text stands for all compressions that libcurl knows. Pictures and videos are stored as NASA has them.
        if exchange.request.role != .media, exchange.request.acceptsCodings {
            easy.set(CURLOPT_ACCEPT_ENCODING, "")
        }
        // Waits until HTTP/2 may share a connection. Plain http never can: one hung connection would delay all transfers.
        easy.set(CURLOPT_PIPEWAIT, exchange.request.address.scheme == "https" ? 1 : 0)
    }

    private func setCertificates() {
        easy.set(CURLOPT_CERTINFO, exchange.request.address.scheme == "https" ? 1 : 0)
        let file = configuration.environment.authorities ?? Self.systemAuthorities
        guard let file else { return }
        easy.set(CURLOPT_CAINFO, file)
        // GnuTLS reads all certificates for each connection. The directory of the system has each of them three times, which
        // would take 7 MB for a connection instead of 3.6 MB.
        easy.clear(CURLOPT_CAPATH)
    }

    /// The maximum number of bytes that libcurl receives at once: four pieces of TLS.
    private static let pieceSize = 64 << 10

    private func setLimits() {
        let limits = configuration.limits
        easy.set(CURLOPT_NOSIGNAL, 1)
        // Resolving a name must not delay the end of a cancelled transfer.
        easy.set(CURLOPT_QUICK_EXIT, 1)
        // None of these numbers may be 0, which would mean libcurl's default, or no limit.
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connectTimeout / .milliseconds(1)))
        // See RequestLimits.shared: a transfer must not end because the others slow it down.
        easy.set(CURLOPT_LOW_SPEED_LIMIT, limits.minimumRate)
        easy.set(CURLOPT_LOW_SPEED_TIME, Int(limits.maximumSlowTime / .seconds(1)))
        let total = exchange.request.role == .media ? limits.fileTimeout : limits.listTimeout
        easy.set(CURLOPT_TIMEOUT_MS, Int(total / .milliseconds(1)))
        easy.set(CURLOPT_BUFFERSIZE, Self.pieceSize)
        guard let rate = configuration.bandwidth?.bytesPerSecond else { return }
        // TransferThread pauses all transfers between two pieces. Therefore a piece has only what the limit allows in a
        // sixteenth of a second, if that is not too little for libcurl.
        let minimumOfLibcurl = 1 << 10
        easy.set(CURLOPT_BUFFERSIZE, min(Self.pieceSize, max(rate / 16, minimumOfLibcurl)))
        // The thread keeps the limit of all transfers. This limit of one transfer, twice as high, makes its rate steadier.
        easy.set(CURLOPT_MAX_RECV_SPEED_LARGE, rate.addingSaturating(rate))
    }

    private func setCallbacks() {
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        unsafe easy.set(CURLOPT_HEADERDATA, pointer: context)
        unsafe easy.set(CURLOPT_WRITEDATA, pointer: context)
        unsafe easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
        unsafe easy.set(CURLOPT_HEADERFUNCTION) { data, size, count, context in
            let line = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
            return unsafe exchangeBehind(context).receive(line: line)
                ? line.count : resultToEndTransfer(line.count)
        }
        unsafe easy.set(CURLOPT_WRITEFUNCTION) { data, size, count, context in
            let body = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
            return unsafe exchangeBehind(context).receive(body: body)
                ? body.count : resultToEndTransfer(body.count)
        }
        unsafe easy.set(CURLOPT_PREREQDATA, pointer: context)
        unsafe easy.set(requestObserver: { context, _, _, _, _ in
            unsafe exchangeBehind(context).willSend()
            return CURL_PREREQFUNC_OK
        })
        unsafe easy.set(
            socketOpener: { context, _, address in
                guard let address = unsafe address,
                    unsafe exchangeBehind(context).permitsConnection(to: address)
                else { return -1 }
                let target = unsafe address.pointee
                let type = target.socktype | CInt(SOCK_CLOEXEC.rawValue)
                return socket(target.family, type, target.protocol)
            })
    }
}

/// The exchange behind the pointer that libcurl passes to a callback; ``CurlTransfer`` keeps the exchange alive.
private func exchangeBehind(_ context: UnsafeMutableRawPointer?) -> Exchange {
    guard let context = unsafe context else { fatalError("libcurl forgot the exchange") }
    return unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
}

/// What a callback that received `count` bytes returns to end the transfer: any other number than `count`.
private func resultToEndTransfer(_ count: Int) -> Int { count == 0 ? 1 : 0 }

/// Why a certificate with this field is not valid at `now`; `nil` if this field is not the reason.
///
/// `Expire Date:2026-11-20 04:05:00 GMT` becomes "its certificate expired at 2026-11-20 04:05:00 UTC; …" after that time.
private func reasonOfInvalidity(inField field: String, at now: Int) -> String? {
    guard let colon = field.firstIndex(of: ":") else { return nil }
    // curl_getdate(3) reads the time without hyphens; it returns -1 if it is no time.
    let time = unsafe curl_getdate(field[colon...].dropFirst().filter { $0 != "-" }, nil)
    let problem: String
    switch field[..<colon].lowercased() {
    case "start date" where time > now: problem = "is not valid before"
    case "expire date" where (0..<now).contains(time): problem = "expired at"
    default: return nil
    }
    return "its certificate \(problem) \(universalTime(Double(time))); the time of this machine is"
        + " \(universalTime(Double(now)))"
}
