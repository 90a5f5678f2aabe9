internal import JSON
internal import Platform
internal import Transfer

/// Requests URLs of a feed and decodes the responses: the common part of ``BasicFeed``, ``RSSFeed`` and ``V1Feed``.
struct FeedClient: Sendable {
    /// The URL of the feed; without a slash at its end, unless the feed needs it.
    let url: WebURL
    private let elementLimit: Int
    private let route: Route
    private let request: FeedRequest

    /// `defaultPath` is the path of the feed if the user's `upstream` has none.
    ///
    /// A response of more than `elementLimit` elements is unusable. Each request gets the query of `upstream`, such as a key.
    init(
        _ upstream: WebURL, defaultPath: String, elementLimit: Int, request: @escaping FeedRequest
    ) {
        let path = upstream.pathWithoutFinalSlashes
        self.init(
            upstream.at(path.isEmpty ? defaultPath : path, query: upstream.query), route: .api,
            elementLimit: elementLimit, request: request)
    }

    /// A client for the feed of a `route` at `url`.
    init(_ url: WebURL, route: Route, elementLimit: Int, request: @escaping FeedRequest) {
        self.url = url
        self.route = route
        self.elementLimit = elementLimit
        self.request = request
    }

    /// Requests `url` and decodes the response; entries outside of `days` are rejected.
    ///
    /// - Throws: ``FeedError/transfer(_:)``, and ``FeedError/unusable(_:)`` for a response that is not a
    ///   list of entries.
    func get(
        _ url: WebURL, days: ClosedRange<Day> = .archive
    ) async throws(FeedError) -> DecodedResponse {
        let response: BufferedResponse
        do {
            response = try await request(url.text)
        } catch {
            throw .transfer(error)
        }
        let elements =
            switch route {
            case .api, .classic:
                try Self.elements(of: response.body, limit: elementLimit, from: url)
            case .rss: try RSSDocument.elements(of: response.body, limit: elementLimit, from: url)
            }
        let decoded = DecodedResponse(
            elements, from: url, by: EntryDecoder(upstream: self.url, route: route),
            headers: response.headers, days: days)
        guard !Task.isCancelled else { throw .transfer(.cancelled) }
        return decoded
    }

    /// Splits a body of JSON into its elements; a single object is one element.
    static func elements(
        of body: [UInt8], limit: Int, from url: WebURL
    ) throws(FeedError) -> [RawElement] {
        try values(of: body, limit: limit, from: url).map { value in
            RawElement { () throws(EntryRejection) in try RawEntry(json: value) }
        }
    }

    private static func values(
        of body: [UInt8], limit: Int, from url: WebURL
    ) throws(FeedError) -> [RawJSON] {
        let json = RawJSON(body[...])
        if let list = try? json.elements(limit: limit) {
            guard !list.isCut else { throw .unusable("\(url) returned more than \(limit) entries") }
            return list.elements
        }
        guard let members = try? json.members(named: ServerError.memberNames) else {
            throw .unusable("\(url) returned \(description(of: body))")
        }
        guard let error = ServerError(members) else { return [json] }
        throw .unusable(
            "\(url) returned the error \(error.code.excerpt): \(error.message.excerpt)")
    }

    /// Describes a body that is no list and no object, with its first characters.
    private static func description(of body: [UInt8]) -> String {
        let beginning = TextNormalizer.line(String(decoding: body.prefix(400), as: UTF8.self))
        let excerpt = "\"\(beginning.prefix(60))\(beginning.count > 60 ? "…" : "")\""
        return switch beginning.first {
        case nil: "an empty body"
        case "<": "HTML instead of JSON: \(excerpt)"
        case "{", "[": "malformed JSON: \(excerpt)"
        default: "no list and no object: \(excerpt)"
        }
    }
}
