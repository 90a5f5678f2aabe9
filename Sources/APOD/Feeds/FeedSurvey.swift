internal import JSON
internal import Platform
package import Transfer

/// What NASA's feed serves now, beside what this program expects: a table, which `doctor --nasa` prints.
///
/// The feed is APOD Basic, NASA's since 2026. It is not documented: what is expected is what its answers had so far.
package struct FeedSurvey: Sendable {
    package struct Row: Hashable, Sendable {
        package let name: String
        package let served: String
        package let expected: String
        package let isAsExpected: Bool
    }

    package private(set) var rows: [Row] = []
    private let client: FeedClient

    /// Sends up to seven requests to APOD Basic at `upstream`; a failed one is a row of the table, too.
    ///
    /// Without an entry in the newest list, nothing else is requested.
    package static func run(
        at upstream: WebURL, through request: @escaping FeedRequest
    ) async -> FeedSurvey {
        let client = FeedClient(
            upstream, defaultPath: BasicFeed.path, elementLimit: elementLimit, request: request)
        var survey = FeedSurvey(client: client)
        await survey.addAllRows()
        return survey
    }

    private init(client: FeedClient) { self.client = client }

    private mutating func addAllRows() async {
        let newestList = await request(["per_page": "\(BasicFeed.pageSize)", "page": "1"])
        add("newest list", newestList.shape, expected: Self.fullPage)
        addHeaders(of: newestList)
        let elements = newestList.elements
        let rawEntries = elements.compactMap { try? RawEntry(json: $0) }
        addFields(of: elements)
        addDates(of: rawEntries, elementCount: elements.count)
        addEntries(in: elements)
        guard let newest = rawEntries.lazy.compactMap(\.date).compactMap({ Day(iso: $0) }).first
        else { return }
        await addPages(until: newest)
        await addSingleDays(newest, post: rawEntries.lazy.compactMap(\.post).first)
    }

    // MARK: Rows

    private mutating func add(
        _ name: String, _ served: String, expected: String, isAsExpected: Bool? = nil
    ) {
        rows.append(
            Row(
                name: name, served: served, expected: expected,
                isAsExpected: isAsExpected ?? (served == expected)))
    }

    private mutating func add(_ name: String, _ served: Set<String>, among expected: Set<String>) {
        add(
            name, Self.joined(served), expected: Self.joined(expected),
            isAsExpected: served.isSubset(of: expected))
    }

    private mutating func addHeaders(of answer: Answer) {
        func headers(_ names: [String]) -> String {
            names.compactMap { name in answer.headers[name].map { "\(name): \($0.excerpt)" } }
                .joined(separator: ", ")
        }
        let type = headers(["content-type"])
        add(
            "type", type, expected: "application/json",
            isAsExpected: type.contains("application/json"))
        let totals = headers(["x-wp-total", "x-wp-totalpages"])
        add(
            "totals", totals, expected: "x-wp-total, x-wp-totalpages",
            isAsExpected: totals.contains("total: ") && totals.contains("totalpages: "))
        // NASA documents none of these: a report shows which there are.
        let other = headers([
            "content-encoding", "etag", "last-modified", "cache-control", "retry-after",
            "x-ratelimit-limit", "x-ratelimit-remaining", "access-control-allow-origin", "server",
        ])
        add("other headers", other, expected: "any", isAsExpected: true)
    }

    private mutating func addFields(of elements: [RawJSON]) {
        let names = Set(elements.flatMap { Self.memberNames(of: Array($0.bytes)) })
        add("fields", Self.difference(names, from: Self.fields), expected: "all")
    }

    private mutating func addDates(of rawEntries: [RawEntry], elementCount: Int) {
        let days = rawEntries.compactMap { $0.date.flatMap { Day(iso: $0) } }
        let isDescending = zip(days, days.dropFirst()).allSatisfy { $0 > $1 }
        add(
            "dates",
            "\(days.first.map { "\($0)" } ?? "none") to \(days.last.map { "\($0)" } ?? "none")"
                + (isDescending ? ", newest first" : ", not in order"),
            expected: "one a day, newest first",
            isAsExpected: isDescending && days.count == elementCount && !days.isEmpty)
        add("media types", Set(rawEntries.compactMap(\.mediaType)), among: Self.mediaTypes)
    }

    /// Adds rows about the valid entries and their media, and why the first invalid element is none.
    private mutating func addEntries(in elements: [RawJSON]) {
        var (entries, rejections): ([Entry], [EntryRejection]) = ([], [])
        for json in elements {
            do throws(EntryRejection) {
                entries.append(try client.decoder.entry(from: RawEntry(json: json)))
            } catch {
                rejections.append(error)
            }
        }
        let hosts = Set(
            entries.flatMap { $0.media.pictures.map(\.url) + [$0.media.video].compactMap(\.self) }
                .compactMap { (try? WebURL($0))?.host })
        add("media hosts", hosts, among: Self.hosts.union([client.url.host]))
        add(
            "entries", "\(entries.count) valid" + (rejections.first.map { ", \($0.reason)" } ?? ""),
            expected: "\(elements.count) valid")
        // About one day in nine is a video, of which few have no still: five mean a change.
        let withoutPicture = entries.filter(\.lacksPicture).map { "\($0.day)" }
        add(
            "without picture",
            withoutPicture.isEmpty ? "none" : withoutPicture.joined(separator: ", "),
            expected: "fewer than five videos", isAsExpected: withoutPicture.count < 5)
    }

    private mutating func addPages(until newest: Day) async {
        // 60 days are three result pages.
        let oldest = newest.advanced(by: -59)
        let longPage = await request([
            "date_from": oldest.compact, "date_to": newest.compact, "per_page": "100", "page": "1",
        ])
        add("per_page=100", longPage.shape, expected: Self.fullPage)
        let pageNine = await request([
            "date_from": oldest.compact, "date_to": newest.compact,
            "per_page": "\(BasicFeed.pageSize)", "page": "9",
        ])
        // An error, nothing, or the first page again.
        let ends = ["400 rest_post_invalid_page_number", "list of 0", Self.fullPage]
        add(
            "past the end", pageNine.shape, expected: ends.joined(separator: " or "),
            isAsExpected: ends.contains(pageNine.shape))
        let twoFields = await request(["per_page": "2", "page": "1", "_fields": "date,title"])
        let names = Self.memberNames(of: twoFields.elements.first.map { Array($0.bytes) } ?? [])
        add("_fields", Self.joined(names), expected: "date, title")
    }

    /// Adds rows about requests of `newest`, of a day in the future, and of `post` in WordPress.
    private mutating func addSingleDays(_ newest: Day, post: Int?) async {
        let day = await request(client.url.appending(newest.compact))
        add("one day", day.shape, expected: "object")
        let later = await request(client.url.appending(newest.advanced(by: 60).compact))
        add("a later day", later.shape, expected: "404 apod_basic_not_found")
        guard let post, let url = client.articleURL(of: post) else { return }
        let article = await request(url)
        let missing = Self.articleFields.subtracting(Self.memberNames(of: article.body))
        let lacks = missing.isEmpty ? "" : " without \(Self.joined(missing))"
        add("image-article", article.shape + lacks, expected: "object")
    }

    // MARK: Expectations

    /// What NASA sends at most, whatever is requested.
    private static let fullPage = "list of \(BasicFeed.pageSize)"
    private static let fields: Set = [
        "alt", "basic_html", "basic_html_url", "copyright", "credit", "date", "explanation",
        "hdurl", "media_type", "permalink", "post_id", "title", "url",
    ]
    private static let articleFields: Set = ["id", "migration_source_url", "featured_image"]
    private static let mediaTypes: Set = ["iframe", "image", "other", "video"]
    private static let hosts: Set = [
        "assets.science.nasa.gov", "img.youtube.com", "player.vimeo.com", "science.nasa.gov",
        "vimeo.com", "www.youtube.com",
    ]

    // MARK: Names

    /// The names of the members of an object; none if `json` is no object.
    private static func memberNames(of json: [UInt8]) -> Set<String> {
        Set((try? JSON(parsing: json))?.members.map(\.key) ?? [])
    }

    private static func joined(_ names: Set<String>) -> String {
        names.sorted().joined(separator: ", ")
    }

    /// `all`, or `without credit; new: credits`.
    private static func difference(_ names: Set<String>, from expected: Set<String>) -> String {
        let (missing, new) = (expected.subtracting(names), names.subtracting(expected))
        let parts = [("without ", missing), ("new: ", new)].filter { !$1.isEmpty }
            .map { "\($0)\(joined($1))" }
        return parts.isEmpty ? "all" : parts.joined(separator: "; ").excerpt
    }

    // MARK: Requests

    /// More elements than any response of APOD Basic has had.
    private static let elementLimit = 400

    /// The response to one request, or its failure.
    private struct Answer {
        /// In a few words: `list of 25`, `object`, `404 apod_basic_not_found`.
        let shape: String
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var elements: [RawJSON] = []
    }

    private func request(_ query: KeyValuePairs<String, String>) async -> Answer {
        await request(client.url.adding(query))
    }

    private func request(_ url: WebURL) async -> Answer {
        do throws(FeedError) {
            let response = try await client.response(from: url)
            // A single object is one element.
            let (elements, _) = try FeedClient.elements(
                of: response.body, limit: Self.elementLimit, from: url)
            let isObject = RawJSON(response.body[...]).isObject
            return Answer(
                shape: isObject ? "object" : "list of \(elements.count)",
                headers: response.headers, body: response.body, elements: elements)
        } catch .transfer(.refused(_, let status, let body)) {
            let code = ServerError(body: body)?.code.excerpt ?? "without a code"
            return Answer(shape: "\(status) \(code)")
        } catch {
            return Answer(shape: "\(error)".excerpt)
        }
    }
}
