import FoundationEssentials
import Platform
import Simulator
import TestSupport
import Testing
import Transfer

@testable import APOD

/// Recorded responses and the whole archive, for developers who have them.
@Suite(.timeLimit(.minutes(10)), .enabled(if: RealData.path != nil)) struct RealDataTests {
    private func contents(_ name: String) throws -> [UInt8] {
        let folder = try #require(RealData.path)
        return Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    /// One entry in `RealData.step`, and with `extras` every one that is no picture, as a list in the shape of v1.
    private func archive(withExtras extras: Bool = false) throws -> [UInt8] {
        let image = Array(#""media_type": "image""#.utf8)
        let lines = try contents("entries-1995-2019.ndjson").split(separator: 0x0A).enumerated()
            .filter { index, line in
                index.isMultiple(of: RealData.step) || extras && !line.contains(image)
            }.map(\.element)
        return Array("[".utf8) + lines.joined(separator: Array(",".utf8)) + Array("]".utf8)
    }

    private func isClean(_ text: String) -> Bool {
        text == TextNormalizer.line(text) && !text.isEmpty
    }

    @Test func everyEntryOfTheArchiveIsDecodedAndEveryVideoHasAPage() throws {
        let response = try decode(archive(withExtras: true))

        #expect(response.rejections == [])
        let counts = Dictionary(grouping: response.entries, by: \.mediaType).mapValues(\.count)
        print("media types:", counts)
        #expect(counts["video"] == 233 && counts["other"] == 24)
        #expect((8700..<8710).contains((counts["image"] ?? 0) * RealData.step))
        for entry in response.entries {
            #expect(isClean(entry.title), "\(entry.day)")
            #expect(!entry.title.hasSuffix(":"), "\(entry.day)")
            #expect(entry.copyright.map(isClean) ?? true, "\(entry.day)")
            #expect(entry.copyright.map { $0.utf8.count < 400 } ?? true, "\(entry.day)")
            #expect(!entry.explanation.contains { $0 == "\r" || $0 == "\t" }, "\(entry.day)")
            #expect(entry.mediaType != "image" || !entry.media.pictures.isEmpty, "\(entry.day)")
            #expect((entry.media.video != nil) || entry.mediaType != "video", "\(entry.day)")
        }

        let videos = response.entries.filter { $0.mediaType == "video" }
        let pages = videos.compactMap { $0.media.video.flatMap { VideoPageURL(of: $0) }?.url }
        // The others are on unknown sites: NASA's page replaces them.
        #expect(pages.count == 229)
        #expect(pages.allSatisfy { $0.hasPrefix("https://") })
        #expect(!pages.contains { $0.contains("youtube.com/embed") || $0.contains("player.vimeo") })
    }

    @Test func aClassicMirrorFillsEveryLostPictureAndNoneIsWrong() throws {
        let path = try #require(RealData.path) + "/entries-1995-2019.ndjson"
        let old = try Archive.real(entries: path).entries
        let named = try decode(archive()).entries
        let lost = try decode(
            Array("[\(named.map(Self.damaged).joined(separator: ","))]".utf8)
        ).entries
        let mirror = ClassicMirror("https://apod.com/en/")
        var counts = (days: 0, filled: 0, wrong: 0)
        for (named, lost) in zip(named, lost) where named.mediaType == "image" {
            guard var own = old[named.day], var other = old[named.day.advanced(by: 1)],
                case .picture(let picture) = own.media
            else { continue }
            // The texts take most of the time.
            own.explanationHTML = ""
            // Some titles of v1 begin with the title of the page, "APOD: September 23, 1996 - ".
            own.title = named.title
            other.explanationHTML = ""
            counts.days += 1
            let page = Array(ClassicPage.html(of: own).utf8)
            let names = Set(named.media.pictures.compactMap { WebURL(link: $0.url)?.fileName })
            let isThere = picture.v1Paths.allSatisfy { $0.hasPrefix("/apod/") }
            for entry in [named, lost] {
                let name = mirror.offer(for: entry, on: page).flatMap {
                    WebURL(link: $0.address.url)?.fileName
                }
                if name.map(names.contains) ?? !isThere { counts.filled += 1 }
                // The page of another day, and one of this day with the picture of another.
                var misplaced = other
                misplaced.day = named.day
                for wrong in [other, misplaced] {
                    let offer = mirror.offer(
                        for: entry, on: Array(ClassicPage.html(of: wrong).utf8))
                    // Two days may have the same picture.
                    if let offer, !names.contains(WebURL(link: offer.address.url)?.fileName ?? "") {
                        counts.wrong += 1
                        print("\(entry.day) \(entry.title): \(offer.address.url)")
                    }
                }
            }
        }
        print(counts)
        #expect(
            counts.days > 8500 / RealData.step && counts.filled == 2 * counts.days
                && counts.wrong == 0)
    }

    /// The entry as APOD Basic has one that lost its picture, with the punctuation of its title.
    private static func damaged(_ entry: Entry) -> String {
        let title = entry.title.filter { !"'’-".contains($0) }
        return basicElement("\(entry.day)", ["title": title.htmlEscaped, "hdurl": "false"])
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
    func anAPODBasicResponseIsDecoded(name: String, holder: String?) throws {
        let entry = try #require(try decode(contents("v2/\(name)")).entries.first)

        #expect(isClean(entry.title))
        #expect(entry.copyright.map { holder.map($0.hasPrefix) ?? false } ?? (holder == nil))
        #expect(!entry.explanation.contains("Tomorrow"))
        #expect(!entry.explanation.contains("Explanation"))
        #expect(name.contains("lost") == (entry.media == Media()))
        #expect(entry.media.videoIsFile == name.contains("mp4"))
    }

    @Test func thePageOfADayShowsItsModificationTime() throws {
        let times = try ["260913-video-mp4", "261002-image-large"].map {
            try decode(contents("v2/apod-basic-\($0).json")).entries.first?.modified
        }

        #expect(times == ["2026-09-11T17:18:17-04:00", "2026-10-01T12:40:31-04:00"])
    }
}
