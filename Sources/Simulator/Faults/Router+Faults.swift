/// Applies a fault to a response.
struct FaultyResponse {
    let router: Router
    let request: SimulatedRequest
    let logged: LoggedRequest

    /// The response with the fault.
    func response(with fault: Fault) -> SimulatedResponse {
        replacement(for: fault) ?? distortion(by: fault, of: router.response(to: request))
    }

    /// A response that replaces the correct one; `nil` if the fault does not.
    private func replacement(for fault: Fault) -> SimulatedResponse? {
        switch fault {
        case .html: .page(200, "NASA Science")
        case .notFound: router.notFound(logged)
        case .throttled(let retryAfter): throttled(retryAfter)
        case .status(let status, let body): failure(status, body)
        case .redirectLoop: .redirect(to: router.origin + Routes.loop)
        case .redirect(let address): .redirect(to: address)
        case .json(let text): .text(text, type: Self.json)
        case .empty: .text("", type: logged.kind.isFeed ? Self.json : "image/jpeg")
        case .wrongDay: router.wrongDay(logged, request)
        case .placeholder: router.placeholder(logged)
        case .hugeBody(let count, let pattern): huge(count, pattern)
        case .verbatim(let status, let headers, let body):
            SimulatedResponse(status: status, headers: headers.map { ($0, $1) }, body: .bytes(body))
        default: nil
        }
    }

    private static let json = "application/json; charset=UTF-8"

    /// The correct response with the fault applied.
    private func distortion(by fault: Fault, of response: SimulatedResponse) -> SimulatedResponse {
        var response = response
        switch fault {
        case .slow(let pace): response.pace = max(1, pace)
        case .truncated(let count): response.cut = count
        case .wrongLength: response.claimedLength = response.body.count + 1000
        case .hugeHeaders:
            let value = String(repeating: "x", count: 1000)
            response.headers += (1...400).map { ("X-Padding-\($0)", value) }
        default: break
        }
        return response
    }

    private func throttled(_ retryAfter: String) -> SimulatedResponse {
        var response = SimulatedResponse.page(429, "Too Many Requests")
        response.headers.append(("Retry-After", retryAfter))
        return response
    }

    private func failure(_ status: Int, _ body: String?) -> SimulatedResponse {
        body.map { .text($0, type: "text/plain", status: status) } ?? .page(status, "Error")
    }

    private func huge(_ count: Int, _ pattern: [UInt8]) -> SimulatedResponse {
        let type = logged.kind.isFeed ? Self.json : "image/jpeg"
        let pattern = pattern.isEmpty ? [0x20] : pattern
        return SimulatedResponse(
            headers: [("Content-Type", type)], body: .repeated(pattern, count: count))
    }
}
