internal import Platform

extension Router {
    /// The response to a request with `fault`, if there is one.
    func response(to request: SimulatedRequest, with fault: Fault?) -> SimulatedResponse {
        guard let fault else { return response(to: request) }
        return replacement(for: fault, request)
            ?? Self.distortion(by: fault, of: response(to: request))
    }

    /// A response that replaces the correct one; `nil` if the fault does not.
    private func replacement(
        for fault: Fault, _ request: SimulatedRequest
    ) -> SimulatedResponse? {
        let type = request.kind.isFeed ? Self.json : "image/jpeg"
        switch fault {
        case .html: return .page(200, "NASA Science")
        case .notFound: return notFound(request)
        case .throttled(let retryAfter):
            var response = SimulatedResponse.page(429, "Too Many Requests")
            response.headers.append(("Retry-After", retryAfter))
            return response
        case .status(let status, let body):
            return body.map { .text($0, type: "text/plain", status: status) }
                ?? .page(status, "Error")
        case .redirectLoop: return .redirect(to: origin + Routes.loop)
        case .redirect(let address): return .redirect(to: address)
        case .json(let text): return .text(text, type: Self.json)
        case .empty: return .text("", type: type)
        case .wrongDay: return wrongDay(request)
        case .placeholder: return placeholder(request)
        case .newFormat: return basic.list([:])
        case .ending(let day):
            var router = self
            router.catalog.newest = day
            return router.response(to: request)
        case .hugeBody(let count, let pattern):
            return SimulatedResponse(
                headers: [("Content-Type", type)], body: pattern.isEmpty ? [0x20] : pattern,
                repeatedLength: count)
        case .verbatim(let status, let headers, let body):
            return SimulatedResponse(
                status: status, headers: headers.map { ($0, $1) }, body: body)
        default: return nil
        }
    }

    private static let json = "application/json; charset=UTF-8"

    /// The correct response with the fault applied.
    private static func distortion(
        by fault: Fault, of response: SimulatedResponse
    ) -> SimulatedResponse {
        var response = response
        switch fault {
        case .slow(let pace): response.pace = max(1, pace)
        case .truncated(let count): response.cut = count
        case .wrongLength: response.claimedLength = response.body.count + 1000
        case .logo:
            let logo = "\"url\":\"https://science.nasa.gov\(SimulatedPlaceholder.logoPath)\""
            let body = String(decoding: response.body, as: UTF8.self)
            response.body = Array(body.replacing(/"url": ?"[^"]*"/, with: logo).utf8)
        case .hugeHeaders:
            let value = String(repeating: "x", count: 1000)
            response.headers += (1...400).map { ("X-Padding-\($0)", value) }
        default: break
        }
        return response
    }
}
