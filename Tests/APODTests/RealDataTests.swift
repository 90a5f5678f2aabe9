import FoundationEssentials
import Testing

@testable import APOD

/// All that NASA's archive holds, where a developer has it.
@Suite(.timeLimit(.minutes(2)), .enabled(if: realData != nil)) struct RealDataTests {
    private func contents(_ name: String) throws -> [UInt8] {
        let folder = try #require(realData)
        return Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    private func answer(_ body: [UInt8]) throws -> Answer {
        let address = try #require(WebAddress(typed: "https://science.nasa.gov/apod-basic"))
        guard case .elements(let elements, _) = try AnswerBody(body, limit: 10_000, from: address)
        else {
            throw FeedError.unusable("an error")
        }
        return Answer(elements, by: EntryDecoder(upstream: address), headers: [:])
    }

    private func isClean(_ text: String) -> Bool {
        text == TextNormalizer.line(text) && !text.isEmpty
    }

    @Test func eachEntryOfTheArchiveIsRead() throws {
        let lines = try contents("entries-1995-2019.ndjson").split(separator: 0x0A)
        let body = Array("[".utf8) + lines.joined(separator: Array(",".utf8)) + Array("]".utf8)

        let answer = try answer(body)

        #expect(answer.rejections == [])
        #expect(answer.entries.count == 8962)
        let counts = Dictionary(grouping: answer.entries, by: \.mediaType).mapValues(\.count)
        print("media types:", counts)
        #expect(counts == ["image": 8705, "video": 233, "other": 24])
        for entry in answer.entries {
            #expect(isClean(entry.title), "\(entry.day)")
            #expect(!entry.title.hasSuffix(":"), "\(entry.day)")
            #expect(entry.copyright.map(isClean) ?? true, "\(entry.day)")
            #expect(entry.copyright.map { $0.utf8.count < 400 } ?? true, "\(entry.day)")
            #expect(!entry.explanation.contains { $0 == "\r" || $0 == "\t" }, "\(entry.day)")
            #expect(entry.mediaType != "image" || !entry.media.pictures.isEmpty, "\(entry.day)")
            #expect((entry.media.video != nil) || entry.mediaType != "video", "\(entry.day)")
        }
    }

    @Test func eachVideoHasAPageToWatchItOn() throws {
        let lines = try contents("entries-1995-2019.ndjson").split(separator: 0x0A)
        let body = Array("[".utf8) + lines.joined(separator: Array(",".utf8)) + Array("]".utf8)

        let videos = try answer(body).entries.filter { $0.mediaType == "video" }
        let pages = videos.compactMap { $0.media.video.flatMap { VideoPageURL(of: $0) }?.url }

        // The others are on sites of their own, some of which are gone: they get NASA's page.
        #expect(pages.count == 229)
        #expect(pages.allSatisfy { $0.hasPrefix("https://") })
        #expect(!pages.contains { $0.contains("youtube.com/embed") || $0.contains("player.vimeo") })
    }

    @Test(arguments: [
        ("apod-basic-260913-video-mp4.json", "Paolo Girotti"),
        ("apod-basic-260916-image.json", nil),
        ("apod-basic-260929-image.json", "Pawel Piechnik"),
        ("apod-basic-261002-image-large.json", "Bing Xin"),
        ("constructed-150704-html-entities.json", "Robert Schwarz"),
        ("constructed-240603-media-lost-in-migration.json", "Someone"),
        ("constructed-260823-video-youtube-protocol-relative.json", nil),
        ("constructed-950616-placeholder-hdurl-gif-in-html.json", nil),
    ])
    func anAnswerOfAPODBasicIsRead(name: String, holder: String?) throws {
        let entry = try #require(try answer(contents("v2/\(name)")).entries.first)

        #expect(isClean(entry.title))
        #expect(entry.copyright.map { holder.map($0.hasPrefix) ?? false } ?? (holder == nil))
        #expect(!entry.explanation.contains("Tomorrow"))
        #expect(!entry.explanation.contains("Explanation"))
        #expect(name.contains("lost") == (entry.media == Media()))
        #expect(entry.media.videoIsFile == name.contains("mp4"))
    }

    @Test(arguments: [
        "error-400-invalid-param", "error-404-no-route", "error-404-not-found",
        "v1-error-400-field",
        "v1-error-404", "v1-error-500",
    ])
    func anErrorIsNone(name: String) throws {
        #expect(throws: FeedError.unusable("an error")) { try answer(contents("v2/\(name).json")) }
    }

    @Test func theStandInIsRefused() throws {
        let answer = try answer(contents("v2/legacy-placeholder-since-2026-09-29.json"))

        #expect(answer.entries == [])
        #expect(answer.rejections.map(\.reason) == [StandIn.advice])
    }

    @Test func theLongTextIsWhole() throws {
        let entry = try #require(
            try answer(contents("v2/apod-basic-261002-image-large.json")).entries.first)

        #expect(
            entry.explanation.hasPrefix("What does it take to image hundreds of nebulas? Today’s"))
        #expect(entry.explanation.hasSuffix("Which object is your favorite?"))
    }
}
