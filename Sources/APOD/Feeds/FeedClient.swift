internal import JSON
internal import Platform
internal import Transfer

/// Requests URLs of a feed and decodes the responses: what ``BasicFeed``, ``RSSFeed`` and ``V1Feed`` have in common.
struct FeedClient: Sendable {
    /// The URL to which the feeds add the path or the query of a request.
    let feedURL: WebURL
    let route: Route
    /// The maximum number of elements in a response.
    let elementLimit: Int
    let request: FeedRequest

    /// Requests `url` and decodes the response; entries outside of `days` are rejected.
    ///
    /// - Throws: ``FeedError/transfer(_:)``, and ``FeedError/unusable(_:)`` if the response is not a list of entries.
    func get(
        _ url: WebURL, days: ClosedRange<Day> = Day.first...Day.last
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
            elements, from: url, by: EntryDecoder(upstream: feedURL, route: route),
            headers: response.headers, days: days)
        guard !Task.isCancelled else { throw .transfer(.cancelled) }
        return decoded
    }

    /// Splits `body`, JSON from `url`, into its elements: the elements of a list, or a single object.
    ///
    /// - Throws: ``FeedError/unusable(_:)`` for anything else, for an error object, and for more than `limit` elements.
    static func elements(
        of body: [UInt8], limit: Int, from url: WebURL
    ) throws(FeedError) -> [RawElement] {
        let json = RawJSON(body[...])
        var values = [json]
        if let list = try? json.elements(limit: limit) {
            guard !list.isCut else { throw .unusable("\(url) returned more than \(limit) entries") }
            values = list.elements
        } else if let members = try? json.members(named: ServerError.memberNames) {
            if let error = ServerError(members: members) {
                throw .unusable(
                    "\(url) returned the error \(error.code.excerpt): \(error.message.excerpt)")
            }
        } else {
            throw .unusable("\(url) returned \(description(of: body))")
        }
        return values.map { value in
            RawElement { () throws(EntryRejection) in try RawEntry(json: value) }
        }
    }

    /// Describes a body that is neither a list nor an object, such as `HTML instead of JSON: "<!doctype html>"`.
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

extension WebURL {
    /// This URL of a user as the URL of a feed: without slashes at its end, and with `defaultPath` if it has no path.
    ///
    /// The query stays, because it may have a key for the server.
    func ofFeed(defaultPath: String) -> WebURL {
        let path = pathWithoutFinalSlashes
        return at(path.isEmpty ? defaultPath : path, query: query)
    }
}
