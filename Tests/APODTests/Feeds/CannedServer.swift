import FoundationEssentials
import Testing
import Transfer

@testable import APOD

/// A server of a feed that is a function and records the requested URLs.
actor CannedServer {
    typealias Body = @Sendable (_ address: String) throws(TransferError) -> BufferedResponse

    private(set) var requested: [String] = []
    private let body: Body

    init(_ body: @escaping Body) { self.body = body }

    /// A server that refuses every request.
    static func refusing(_ status: Int, _ body: String) -> CannedServer {
        CannedServer { address throws(TransferError) in throw .refused(address, status, body) }
    }

    nonisolated var request: FeedRequest {
        { address async throws(TransferError) in try await self.response(to: address) }
    }

    /// APOD Basic at this server.
    nonisolated var basic: BasicFeed {
        BasicFeed(
            at: "https://science.nasa.gov/wp-json/wp/v2/apod-basic", request: request)
    }

    /// A feed of v1 at this server.
    nonisolated var v1: V1Feed {
        V1Feed(at: "https://api.example.org/planetary/apod", request: request)
    }

    private func response(to address: String) throws(TransferError) -> BufferedResponse {
        requested.append(address)
        return try body(address)
    }
}

extension BufferedResponse {
    static func text(_ text: String, _ headers: [String: String] = [:]) -> BufferedResponse {
        BufferedResponse(headers: headers, body: Array(text.utf8))
    }

    /// A page of a list with its totals in the headers.
    static func page(
        _ elements: [String], of pages: Int? = nil, total: Int? = nil
    ) -> BufferedResponse {
        var headers: [String: String] = [:]
        headers["x-wp-totalpages"] = pages.map(String.init)
        headers["x-wp-total"] = total.map(String.init)
        return text("[\(elements.joined(separator: ","))]", headers)
    }

    /// The page of `elements`, newest first, for which `address` asks APOD Basic by days and number.
    static func page(
        of elements: [(day: Day, text: String)], at address: String, by size: Int = 25,
        hasTotals: Bool = true
    ) -> BufferedResponse {
        let from = field("date_from", of: address).flatMap { Day(compact: $0) } ?? .first
        let to = field("date_to", of: address).flatMap { Day(compact: $0) } ?? .last
        let page = field("page", of: address).flatMap { Int($0) } ?? 1
        let found = elements.filter { (from...to).contains($0.day) }.map(\.text)
        return .page(
            Array(found.dropFirst((page - 1) * size).prefix(size)),
            of: hasTotals ? (found.count + size - 1) / size : nil,
            total: hasTotals ? found.count : nil)
    }
}

extension TransferError {
    static func refused(_ address: String, _ status: Int, _ body: String) -> TransferError {
        .refused(address: address, status: status, body: Array(body.utf8))
    }
}

/// Encodes a JSON object.
func json(_ fields: [String: String]) -> String {
    guard let data = try? JSONEncoder().encode(fields) else { return "" }
    return String(decoding: data, as: UTF8.self)
}

extension Feed {
    /// Requests all pages of `days`.
    func allPages(over days: ClosedRange<Day>) async throws(FeedError) -> [FeedPage] {
        var (rest, pages) = (Optional(days), [FeedPage]())
        while let days = rest {
            let page = try await newestPage(of: days)
            pages.append(page)
            rest = page.rest(of: days)
        }
        return pages
    }
}

/// Decodes the body of a response from NASA.
func decode(_ body: [UInt8]) throws(FeedError) -> DecodedResponse {
    let url: WebURL = "https://science.nasa.gov/x"
    return DecodedResponse(
        try FeedClient.elements(of: body, limit: 10_000, from: url), from: url,
        by: EntryDecoder(upstream: url), headers: [:], days: Day.first...Day.last)
}

/// An element of APOD Basic; `fields` replaces its default fields.
func basicElement(_ date: String, _ fields: [String: String] = [:]) -> String {
    let defaults = [
        "date": date, "title": "A Title", "media_type": "image", "explanation": "A text.",
        "permalink": "https://science.nasa.gov/image-article/apod-\(date)/", "basic_html": "",
    ]
    return json(defaults.merging(fields) { $1 })
}

/// An element of a v1 feed; `fields` replaces its default fields.
func v1Element(_ date: String, _ fields: [String: String] = [:]) -> String {
    let defaults = [
        "date": date, "title": "A Title", "media_type": "image", "explanation": "A text.",
        "url": "https://apod.nasa.gov/apod/image/1803/\(date).jpg", "service_version": "v1",
    ]
    return json(defaults.merging(fields) { $1 })
}

func day(_ text: String) throws -> Day { try #require(Day(iso: text)) }

/// Returns the value of a field in the query of `address`.
func field(_ name: String, of address: String) -> String? {
    let query = address.split(separator: "?").dropFirst().first ?? ""
    let item = query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
    return item.map { String($0.dropFirst(name.count + 1)) }
}
