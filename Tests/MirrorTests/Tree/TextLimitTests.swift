import APOD
import JSON
import Testing

@testable import Mirror

/// Texts that are longer than any of the archive.
@Suite(.timeLimit(.minutes(10))) struct TextLimitTests {
    private static func record(_ more: JSON) throws -> DayRecord {
        let standard: JSON = [
            "date": "2026-11-20", "title": "A Chart", "explanation": "What is it?",
            "media_type": "image",
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        let given = Set(more.members.map(\.key))
        let json = JSON.object(
            standard.members.filter { !given.contains($0.key) } + more.members)
        return try #require(DayRecord(json))
    }

    @Test func aLongTextOfARecordIsCutWhenItIsRead() throws {
        let record = try Self.record([
            "explanation": .string("x" + String(repeating: "é", count: 100_000)),
            "title": .string(String(repeating: "\"", count: 100_000)),
            "explanation_html": .string(String(repeating: "<b>", count: 100_000)),
            "permalink": .string("https://n.gov/" + String(repeating: "a", count: 100_000)),
        ])

        #expect(record.entry.explanation.utf8.count == TextLimit.article - 1)
        #expect(
            record.entry.explanation.hasPrefix("xéé")
                && !record.entry.explanation.contains("\u{FFFD}"))
        #expect(record.entry.title.utf8.count == TextLimit.line)
        #expect(record.entry.explanationHTML == nil && record.entry.permalink == nil)
        #expect(DayRecord(record.json) == record)
    }

    @Test func textsUpToTheLimitStay() throws {
        let text = String(repeating: "x", count: TextLimit.article)
        let record = try Self.record([
            "explanation": .string(text), "explanation_html": .string(text),
        ])

        #expect(record.entry.explanation == text && record.entry.explanationHTML == text)
    }
}
