import APOD
import FoundationEssentials
import Testing
import Transfer

/// A feed's server as a function, which keeps what it was asked for.
actor CannedServer {
    typealias Body = @Sendable (_ address: String) throws(TransferError) -> FeedAnswer

    private(set) var asked: [String] = []
    private let body: Body

    init(_ body: @escaping Body) { self.body = body }

    /// A server that refuses everything.
    static func refusing(_ status: Int, _ body: String) -> CannedServer {
        CannedServer { address throws(TransferError) in throw .refused(address, status, body) }
    }

    nonisolated var request: FeedRequest {
        { address async throws(TransferError) in try await self.answer(address) }
    }

    private func answer(_ address: String) throws(TransferError) -> FeedAnswer {
        asked.append(address)
        return try body(address)
    }
}

extension FeedAnswer {
    static func text(_ text: String, _ headers: [String: String] = [:]) -> FeedAnswer {
        FeedAnswer(headers: headers, body: Array(text.utf8))
    }

    /// A page of a list with its totals.
    static func page(_ elements: [String], of pages: Int? = nil, total: Int? = nil) -> FeedAnswer {
        var headers: [String: String] = [:]
        headers["x-wp-totalpages"] = pages.map(String.init)
        headers["x-wp-total"] = total.map(String.init)
        return text("[\(elements.joined(separator: ","))]", headers)
    }
}

extension TransferError {
    static func refused(_ address: String, _ status: Int, _ body: String) -> TransferError {
        .refused(address: address, status: status, body: Array(body.utf8))
    }
}

/// An object of JSON.
func json(_ fields: [String: String]) -> String {
    guard let data = try? JSONEncoder().encode(fields) else { return "" }
    return String(decoding: data, as: UTF8.self)
}

/// An element in the shape of APOD Basic, with `fields` in place of the usual ones.
func basicElement(_ date: String, _ fields: [String: String] = [:]) -> String {
    let usual = [
        "date": date, "title": "A Title", "media_type": "image", "explanation": "A text.",
        "permalink": "https://science.nasa.gov/image-article/apod-\(date)/", "basic_html": "",
    ]
    return json(usual.merging(fields) { $1 })
}

/// An element in the v1 shape, with `fields` in place of the usual ones.
func v1Element(_ date: String, _ fields: [String: String] = [:]) -> String {
    let usual = [
        "date": date, "title": "A Title", "media_type": "image", "explanation": "A text.",
        "url": "https://apod.nasa.gov/apod/image/1803/small.jpg", "service_version": "v1",
    ]
    return json(usual.merging(fields) { $1 })
}

func day(_ text: String) throws -> Day { try #require(Day(iso: text)) }

/// The value of one field in the query of `address`.
func field(_ name: String, of address: String) -> String? {
    let query = address.split(separator: "?").dropFirst().first ?? ""
    let item = query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
    return item.map { String($0.dropFirst(name.count + 1)) }
}

/// Where real answers lie, for developers who have them.
let realData: String? = {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let places = [
        ProcessInfo.processInfo.environment["APOD_MIRROR_REAL_DATA"], "/\(root)/../shared/apod",
    ]
    return places.compactMap(\.self).first { FileManager.default.fileExists(atPath: "\($0)/v2") }
}()
