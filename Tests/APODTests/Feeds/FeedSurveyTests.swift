import FoundationEssentials
import TestSupport
import Testing
import Transfer

@testable import APOD

/// The table of what NASA serves, from answers as they were recorded in October 2026.
@Suite(.timeLimit(.minutes(10))) struct FeedSurveyTests {
    private static let url: WebURL = "https://science.nasa.gov/wp-json/wp/v2/apod-basic"

    /// The recorded entry of 2026-09-29, under another date.
    private static func element(_ day: Day) -> String {
        #"{"date":"\#(day)","post_id":1420794,"title":"Sh2-188: The Shrimp Nebula","permalink":"https://science.nasa.gov/image-article/apod-2026-september-29-sh2-188-the-shrimp-nebula/","media_type":"image","explanation":"<strong>Explanation: </strong>What causes the swirl?<br><strong>Tomorrow's picture: </strong>a harvest","credit":"<a href=\"https://www.instagram.com/pawelpiechnik.astrophoto/\">Pawel Piechnik</a>","copyright":"<a href=\"https://www.instagram.com/pawelpiechnik.astrophoto/\">Pawel Piechnik</a>","alt":false,"url":"https://science.nasa.gov/image-article/apod-2026-september-29-sh2-188-the-shrimp-nebula/","hdurl":"https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/apod/2026/september/Shrimp_Pawel_2048.jpg?w=2048&h=2560&fit=clip&crop=faces%2Cfocalpoint","basic_html":"<html></html>","basic_html_url":"https://science.nasa.gov/wp-json/wp/v2/apod-basic/260929/html"}"#
    }

    /// The rows that differ where NASA's answers are changed by `change`.
    private func differences(
        _ change:
            @escaping @Sendable (_ url: String, _ response: BufferedResponse) throws(TransferError)
            -> BufferedResponse
    ) async throws -> [FeedSurvey.Row] {
        let newest = try day("2026-09-29")
        let server = CannedServer { address throws(TransferError) in
            let refused = TransferError.refused(
                address, address.contains("apod-basic/") ? 404 : 400,
                address.contains("apod-basic/")
                    ? #"{"code":"apod_basic_not_found","message":"APOD not found.","data":{"status":404}}"#
                    : #"{"code":"rest_post_invalid_page_number","message":"","data":{"status":400}}"#
            )
            let headers = [
                "content-type": "application/json; charset=UTF-8", "x-wp-total": "25",
                "x-wp-totalpages": "1", "access-control-allow-origin": "*",
            ]
            if address.contains("image-article/") {
                return try change(
                    address,
                    .text(#"{"id":1420794,"migration_source_url":"","featured_image":{}}"#, headers)
                )
            }
            if address.hasSuffix("/260929") {
                return try change(address, .text(Self.element(newest), headers))
            }
            guard field("page", of: address) == "1" else { throw refused }
            if field("_fields", of: address) != nil {
                return try change(address, .text(#"[{"date":"2026-09-29","title":"A"}]"#, headers))
            }
            let list = (0..<25).map { Self.element(newest.advanced(by: -$0)) }
            return try change(address, .text("[\(list.joined(separator: ","))]", headers))
        }
        let survey = await FeedSurvey.run(at: Self.url, through: server.request)
        #expect(await server.requested.count <= 7)
        return survey.rows.filter { !$0.isAsExpected }
    }

    private func replacing(_ text: String, by other: String) async throws -> [FeedSurvey.Row] {
        try await differences { _, response in
            let body = String(decoding: response.body, as: UTF8.self)
            return .text(body.replacing(text, with: other), response.headers)
        }
    }

    @Test func nothingDiffersFromTheRecordedAnswers() async throws {
        #expect(try await differences { $1 } == [])
    }

    @Test func aRenamedFieldIsNamed() async throws {
        let rows = try await replacing(#""credit":"#, by: #""credits":"#)

        #expect(rows.map(\.name) == ["fields"])
        #expect(rows.first?.served == "without credit; new: credits")
    }

    @Test func anotherHostOrTypeOfMediaIsNamed() async throws {
        let host = try await replacing("assets.science.nasa.gov", by: "cdn.example.org")
        let type = try await replacing(#""image""#, by: #""panorama""#)

        #expect(host.map(\.served) == ["cdn.example.org"])
        #expect(type.map(\.served) == ["panorama"])
    }

    @Test func thePlaceholderForEveryDayIsNamed() async throws {
        let rows = try await replacing("Sh2-188: The Shrimp Nebula", by: "NASA Science")

        #expect(rows.map(\.name).contains("entries"))
        #expect(rows.first { $0.name == "entries" }?.served.contains("placeholder") == true)
    }

    @Test func missingHeadersAreNamed() async throws {
        let rows = try await differences { _, response in
            BufferedResponse(headers: ["etag": "\"1\""], body: response.body)
        }

        #expect(rows.map(\.name) == ["type", "totals"])
    }

    @Test(arguments: ["<html>We moved</html>", "", "[]", "{}", "null"])
    func anotherAnswerIsDescribed(body: String) async throws {
        let rows = try await differences { _, _ in .text(body) }

        #expect(rows.first?.name == "newest list")
        #expect(rows.contains { $0.name == "entries" || $0.name == "dates" })
    }

    @Test func anUnreachableServerIsARow() async throws {
        let rows = try await differences { address, _ throws(TransferError) in
            throw .unreachable(address: address, reason: "no route")
        }

        #expect(rows.first?.served.contains("no route") == true)
    }

    @Test func theReasonOfAnUnreadableEntryIsNamed() async throws {
        let long = String(repeating: "x", count: 5_000)
        let rows = try await replacing("Sh2-188: The Shrimp Nebula", by: long)

        #expect(
            rows.first { $0.name == "entries" }?.served
                == "0 valid, the field title is longer than 4096 bytes")
    }
}
