internal import JSON
internal import Platform
package import Transfer

/// What NASA's feed serves now, beside what this program expects: a table for reports, which `doctor` prints.
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
    package init(of upstream: WebURL, through request: @escaping FeedRequest) async {
        client = FeedClient(
            upstream, defaultPath: BasicFeed.path, elementLimit: Self.elementLimit, request: request
        )
        let list = await answer(["per_page": "\(BasicFeed.pageSize)", "page": "1"])
        add("newest list", list.shape, expected: Self.fullPage)
        addHeaders(of: list)
        let elements = list.elements.compactMap { try? RawEntry(json: $0) }
        addFields(of: list.elements)
        addDates(of: elements, count: list.elements.count)
        addEntries(of: list.elements)
        guard let newest = elements.lazy.compactMap(\.date).compactMap({ Day(iso: $0) }).first
        else { return }
        await addPages(until: newest)
        await addDays(newest, post: elements.lazy.compactMap(\.post).first)
    }

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
            name, Self.list(served), expected: Self.list(expected),
            isAsExpected: served.isSubset(of: expected))
    }

    private mutating func addHeaders(of list: Answer) {
        func named(_ names: [String]) -> String {
            names.compactMap { name in list.headers[name].map { "\(name): \($0.excerpt)" } }
                .joined(separator: ", ")
        }
        let type = named(["content-type"])
        add(
            "type", type, expected: "application/json",
            isAsExpected: type.contains("application/json"))
        let totals = named(["x-wp-total", "x-wp-totalpages"])
        add(
            "totals", totals, expected: "x-wp-total, x-wp-totalpages",
            isAsExpected: totals.contains("total: ") && totals.contains("totalpages: "))
        // NASA documents none of these: a report shows which there are.
        let other = named([
            "content-encoding", "etag", "last-modified", "cache-control", "retry-after",
            "x-ratelimit-limit", "x-ratelimit-remaining", "access-control-allow-origin", "server",
        ])
        add("other headers", other, expected: "any", isAsExpected: true)
    }

    private mutating func addFields(of list: [RawJSON]) {
        let names = Set(list.flatMap { Self.names(in: Array($0.bytes)) })
        add("fields", Self.difference(names, from: Self.fields), expected: "all")
    }

    private mutating func addDates(of elements: [RawEntry], count: Int) {
        let days = elements.compactMap { $0.date.flatMap { Day(iso: $0) } }
        let isDescending = zip(days, days.dropFirst()).allSatisfy { $0 > $1 }
        add(
            "dates",
            "\(days.first.map { "\($0)" } ?? "none") to \(days.last.map { "\($0)" } ?? "none")"
                + (isDescending ? ", newest first" : ", not in order"),
            expected: "one a day, newest first",
            isAsExpected: isDescending && days.count == count && !days.isEmpty)
        add("media types", Set(elements.compactMap(\.mediaType)), among: Self.mediaTypes)
    }

    /// The media of the entries, and why elements are no entries.
    private mutating func addEntries(of list: [RawJSON]) {
        var (entries, reasons): ([Entry], [String]) = ([], [])
        for json in list {
            do throws(EntryRejection) {
                entries.append(try client.decoder.entry(from: RawEntry(json: json)))
            } catch {
                reasons.append(error.reason)
            }
        }
        let hosts = Set(
            entries.flatMap { $0.media.pictures.map(\.url) + [$0.media.video].compactMap(\.self) }
                .compactMap { (try? WebURL($0))?.host })
        add("media hosts", hosts, among: Self.hosts.union([client.url.host]))
        add(
            "entries", "\(entries.count) valid" + (reasons.first.map { ", \($0)" } ?? ""),
            expected: "\(list.count) valid")
        // About one day in nine is a video, of which few have no still: five mean a change.
        let withoutPicture = entries.filter(\.lacksPicture).map { "\($0.day)" }
        add(
            "without picture",
            withoutPicture.isEmpty ? "none" : withoutPicture.joined(separator: ", "),
            expected: "fewer than five videos", isAsExpected: withoutPicture.count < 5)
    }

    private mutating func addPages(until newest: Day) async {
        // 60 days are three result pages.
        let from = newest.advanced(by: -59).compact
        let long = await answer([
            "date_from": from, "date_to": newest.compact, "per_page": "100", "page": "1",
        ])
        add("per_page=100", long.shape, expected: Self.fullPage)
        let range: KeyValuePairs = [
            "date_from": from, "date_to": newest.compact, "per_page": "\(BasicFeed.pageSize)",
            "page": "9",
        ]
        let end = await answer(range)
        // An error, nothing, or the first page again.
        let ends = ["400 rest_post_invalid_page_number", "list of 0", Self.fullPage]
        add(
            "past the end", end.shape, expected: ends.joined(separator: " or "),
            isAsExpected: ends.contains(end.shape))
        let fields = await answer(["per_page": "2", "page": "1", "_fields": "date,title"])
        let names = Self.names(in: fields.elements.first.map { Array($0.bytes) } ?? [])
        add("_fields", Self.list(names), expected: "date, title")
    }

    private mutating func addDays(_ newest: Day, post: Int?) async {
        let day = await answer(at: client.url.appending(newest.compact))
        add("one day", day.shape, expected: "object")
        let later = await answer(at: client.url.appending(newest.advanced(by: 60).compact))
        add("a later day", later.shape, expected: "404 apod_basic_not_found")
        guard let post, let url = client.articleURL(of: post) else { return }
        let article = await answer(at: url)
        let missing = Self.articleFields.subtracting(Self.names(in: article.body))
        let lacks = missing.isEmpty ? "" : " without \(Self.list(missing))"
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

    /// The names of the members of an object; none if it is no object.
    private static func names(in object: [UInt8]) -> Set<String> {
        Set((try? JSON(parsing: object))?.members.map(\.key) ?? [])
    }

    private static func list(_ names: Set<String>) -> String {
        names.sorted().joined(separator: ", ")
    }

    private static func difference(_ names: Set<String>, from expected: Set<String>) -> String {
        let (missing, new) = (expected.subtracting(names), names.subtracting(expected))
        let parts = [("without ", missing), ("new: ", new)].filter { !$1.isEmpty }
            .map { "\($0)\(list($1))" }
        return parts.isEmpty ? "all" : parts.joined(separator: "; ").excerpt
    }

    // MARK: Requests

    /// More elements than any response of APOD Basic has had.
    private static let elementLimit = 400

    private struct Answer {
        /// The kind of the response in a few words: `list of 25`, `object`, `404 apod_basic_not_found`.
        let shape: String
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var elements: [RawJSON] = []
    }

    private func answer(_ query: KeyValuePairs<String, String>) async -> Answer {
        await answer(at: client.url.adding(query))
    }

    private func answer(at url: WebURL) async -> Answer {
        do throws(FeedError) {
            let response = try await client.response(from: url)
            let list = try FeedClient.elements(
                of: response.body, limit: Self.elementLimit, from: url)
            // Only an object has members; an object counts as a list of one element.
            let members = try? RawJSON(response.body[...]).members(named: [])
            let isObject = members.flatMap(\.self) != nil
            return Answer(
                shape: isObject ? "object" : "list of \(list.elements.count)",
                headers: response.headers, body: response.body, elements: list.elements)
        } catch .transfer(.refused(_, let status, let body)) {
            let code = ServerError(body: body)?.code.excerpt ?? "without a code"
            return Answer(shape: "\(status) \(code)")
        } catch {
            return Answer(shape: "\(error)".excerpt)
        }
    }
}
