internal import CCurl
internal import Glibc
internal import Platform

/// One request and its answer, as it comes in piece by piece on one thread.
final class Exchange {
    /// The most of a refusal's body that is kept.
    private static let excerptLimit = 64 << 10

    let address: Address
    let headers: [String]
    /// The server may compress the body.
    let isCompressible: Bool
    private let sink: any BodySink
    private let policy: AddressPolicy
    private let headerLimit: Int
    private let deadline: ProgressDeadline
    /// The proxy that it goes through, `nil` for none.
    let proxy: String?
    /// Where the answer comes in, -1 before the connection stands.
    var socket: CInt = -1

    private(set) var head: Head
    /// The start of a body that does not go into the sink.
    private(set) var excerpt: [UInt8] = []
    /// Why the exchange was ended from this side.
    private(set) var failure: Setback?
    private(set) var hasEnough = false
    /// Why the last place that was refused may not be connected to.
    private(set) var refusedPlace: TransferError?
    private var headerBytes = 0
    /// How much of a body came.
    private(set) var bodyBytes = 0
    /// The same before decoding, with what follows the end that was promised.
    private var rawBytes = 0
    /// More came than the `Content-Length` said, which libcurl leaves out.
    private(set) var isLongerThanPromised = false

    init(
        _ address: Address, headers: [String], isCompressible: Bool, sink: any BodySink,
        policy: AddressPolicy, headerLimit: Int, deadline: ProgressDeadline
    ) {
        self.address = address
        self.headers = headers
        self.isCompressible = isCompressible
        self.sink = sink
        self.policy = policy
        self.headerLimit = headerLimit
        self.deadline = deadline
        proxy = Proxy.address(for: address)
        head = Head(address)
    }

    /// Takes one line of a head; `false` ends the exchange.
    func receive(line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= headerLimit else {
            failure = .hopeless(address, "its headers are longer than \(headerLimit) bytes")
            return false
        }
        // What follows a body are trailers, which nobody here wants.
        guard !head.isComplete else { return true }
        unsafe head.add(line)
        guard head.isComplete, head.isSuccess else { return true }
        return attempt { () throws(Setback) in
            if head.headers.hasUnreadableLength {
                throw .broken(address, "unreadable Content-Length")
            }
            try sink.begin(head)
        }
    }

    /// Takes note of bytes of a body as they came from the server, before they are decoded.
    func receive(raw count: Int) {
        guard head.isSuccess, head.headers["Transfer-Encoding"] == nil,
            let promised = head.headers.contentLength
        else { return }
        rawBytes += count
        // libcurl stops reading at the end that was promised; TLS may have bytes of its own there.
        isLongerThanPromised =
            rawBytes > promised
            || rawBytes == promised && address.scheme == "http" && proxy == nil && hasUnreadByte
    }

    private var hasUnreadByte: Bool {
        var byte: UInt8 = 0
        return unsafe recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) == 1
    }

    /// How long it may still take, `nil` once it is too slow.
    var timeLeft: Duration? { deadline.timeLeft }

    /// Why it ended when the time was up.
    var tooSlow: Setback {
        let seconds = (deadline.elapsed / .seconds(1)).rounded()
        return Setback(
            .unreachable(
                address: address.shown,
                reason: "too slow: \(bodyBytes) bytes in \(Int(seconds)) seconds"),
            isWorthRetrying: false)
    }

    /// Takes the next piece of the body; `false` ends the exchange.
    func receive(body: UnsafeRawBufferPointer) -> Bool {
        bodyBytes += body.count
        deadline.received(body.count)
        if head.isSuccess {
            return attempt { () throws(Setback) in try unsafe sink.write(body) }
        }
        unsafe excerpt.append(contentsOf: body.prefix(Self.excerptLimit - excerpt.count))
        hasEnough = excerpt.count == Self.excerptLimit
        return !hasEnough
    }

    /// Opens the socket for a connection, where the policy permits it; -1 where not.
    func openSocket(_ place: UnsafeMutablePointer<curl_sockaddr>) -> CInt {
        // Behind a proxy the socket leads to the proxy, whose place says nothing of the host's.
        if proxy == nil, let ip = unsafe ipAddress(place),
            !policy.permits(ip, for: address)
        {
            let kind = ip.kind?.rawValue ?? "another address"
            refusedPlace = .forbidden(
                address: address.shown, reason: "\(address.host) resolves to \(kind)".excerpt)
            return -1
        }
        let place = unsafe place.pointee
        return Glibc.socket(
            place.family, place.socktype | CInt(SOCK_CLOEXEC.rawValue), place.protocol)
    }

    private func attempt(_ body: () throws(Setback) -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }
}

/// The place that a socket is for, `nil` where it is neither IPv4 nor IPv6.
private func ipAddress(_ place: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
    let (inner, size): (Int?, Int) =
        switch unsafe place.pointee.family {
        case AF_INET: (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: (nil, 0)
        }
    // Behind `addr` there is more room than its type says: see CURLOPT_OPENSOCKETFUNCTION(3).
    guard let inner, let outer = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(place) + outer + inner, count: size)
    return unsafe IPAddress(bytes: Array(bytes))
}
