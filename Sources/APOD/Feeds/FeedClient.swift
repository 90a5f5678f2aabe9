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
    let decoder: EntryDecoder

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
        decoder = EntryDecoder(upstream: url, route: route)
    }

    /// Requests `url` and decodes the response; entries outside of `days` are rejected.
    ///
    /// An entry whose day or picture is not certain is decoded again with its post, which is requested for it.
    ///
    /// - Throws: ``FeedError/transfer(_:)``, and ``FeedError/unusable(_:)`` for a response that is not a
    ///   list of entries.
    func get(
        _ url: WebURL, days: ClosedRange<Day> = .archive
    ) async throws(FeedError) -> DecodedResponse {
        let response = try await response(from: url)
        let elements =
            switch route {
            case .api, .classic:
                try Self.elements(of: response.body, limit: elementLimit, from: url)
            case .rss: try RSSDocument.elements(of: response.body, limit: elementLimit, from: url)
            }
        func decode(_ articles: [Int: ImageArticle]) -> DecodedResponse {
            DecodedResponse(
                elements, from: url, by: decoder, headers: response.headers, days: days,
                articles: articles)
        }
        var decoded = decode([:])
        let articles = await articles(of: decoded.neededPosts)
        if !articles.isEmpty { decoded = decode(articles) }
        guard !Task.isCancelled else { throw .transfer(.cancelled) }
        return decoded
    }

    /// The most posts that are requested for one response; other entries are used as they are.
    private static let articleLimit = 5

    /// Requests posts of APOD Basic in WordPress, by their numbers; those that are not returned are left out.
    ///
    /// An entry can be used without its post: no error is thrown, and only a refusal is followed by the next request.
    private func articles(of posts: [Int]) async -> [Int: ImageArticle] {
        var articles: [Int: ImageArticle] = [:]
        for post in posts.prefix(Self.articleLimit) {
            guard let url = articleURL(of: post) else { break }
            do throws(FeedError) {
                let response = try await response(from: url)
                articles[post] = ImageArticle(body: response.body, post: post)
            } catch .transfer(.refused) {
                continue
            } catch {
                break
            }
        }
        return articles
    }

    /// The URL of a post of APOD Basic; `nil` if the feed has another name.
    func articleURL(of post: Int) -> WebURL? {
        let name = "/apod-basic"
        guard url.path.hasSuffix(name) else { return nil }
        return url.at("\(url.path.dropLast(name.count))/image-article/\(post)", query: url.query)
    }

    func response(from url: WebURL) async throws(FeedError) -> BufferedResponse {
        do {
            return try await request(url.text)
        } catch {
            throw .transfer(error)
        }
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
