import APOD
import Testing
import Transfer

/// Entries of NASA's site since the migration of 2026.
@Suite(.timeLimit(.minutes(10))) struct MigratedDaysTests {
    private static let original =
        "https://assets.science.nasa.gov/content/dam/science/cds/apod/apod/2026/september"

    private func entry(_ fields: [String: String]) async throws -> Entry {
        let element = basicElement("2026-09-24", fields)
        let feed = BasicFeed(at: "https://science.nasa.gov/apod-basic") { _ in
            .text("[\(element)]")
        }
        return try #require(try await feed.newest().entries.first)
    }

    /// Each page, and a part of the address of its video.
    @Test(arguments: [
        (
            "<figure><div class='wp-block-embed__wrapper'>\nhttps://www.youtube.com/watch?v=UgxWkOXcdZU\n</div></figure>",
            "UgxWkOXcdZU"
        ),
        ("<p>https://youtu.be/UgxWkOXcdZU</p>", "UgxWkOXcdZU"),
        ("<embed src='//www.youtube.com/embed/UgxWkOXcdZU' type='text/html'>", "UgxWkOXcdZU"),
        ("<object data=\"https://www.youtube.com/embed/UgxWkOXcdZU\"></object>", "UgxWkOXcdZU"),
        (
            "<object><param name=movie value='https://www.youtube.com/embed/UgxWkOXcdZU'></object>",
            "UgxWkOXcdZU"
        ),
        ("<p>https://vimeo.com/80568171</p>", "https://vimeo.com/80568171"),
        ("<p>\(original)/film.mp4</p>", "\(original)/film.mp4"),
        // An address in a sentence, or of another page, is none.
        ("<p>See <a href='https://youtu.be/UgxWkOXcdZU'>this</a></p>", nil),
        ("<p>https://example.org/page</p>", nil),
        ("<p>watch https://youtu.be/UgxWkOXcdZU here</p>", nil),
    ])
    func aVideoIsFoundHoweverItIsEmbedded(page: String, part: String?) async throws {
        let type = part == nil ? "image" : "video"
        let media = try await entry(["media_type": type, "basic_html": page]).media

        guard let part else { return #expect(media.video == nil) }
        #expect(media.video?.contains(part) == true)
        guard part == "UgxWkOXcdZU" else { return }
        #expect(media.pictures.last?.url == "https://img.youtube.com/vi/\(part)/hqdefault.jpg")
    }

    @Test(arguments: [
        "<audio controls><source src='\(original)/song.mp3'></audio>",
        "<picture><source src='\(original)/a.webp'></picture>",
    ])
    func aSourceOutsideOfAVideoIsNoVideo(page: String) async throws {
        #expect(try await entry(["basic_html": page]).media.video == nil)
        let video = "<video><source src='\(Self.original)/film.mp4'></video>"
        #expect(
            try await entry(["basic_html": page + video]).media.video
                == "\(Self.original)/film.mp4")
    }

    @Test(arguments: [
        ("See Explanation.  Moving the cursor over the image brings up a copy.", nil),
        ("see explanation", nil), ("<i>See Explanation</i>", nil),
        ("A galaxy. See explanation.", "A galaxy. See explanation."),
    ])
    func anAltTextThatRefersToTheExplanationIsDropped(alt: String, expected: String?) async throws {
        #expect(try await entry(["alt": alt]).alt == expected)
    }

    @Test func linksInTheExplanationAreAbsoluteAndNotesAreRemoved() async throws {
        let explanation = """
            <strong>Explanation: </strong>A <a href="/image-article/a/" onclick="x">star</a> &amp;
            <a href="//example.org/?a=1&amp;b=2">gas</a>, <a href="javascript:x">no</a>
            <i>more</i>.<script>bad()</script><br><br>Second<br><strong>Tomorrow's picture:
            </strong><a href="https://science.nasa.gov/next/">next</a>
            """
        let html = try #require(try await entry(["explanation": explanation]).explanationHTML)

        #expect(html.contains("<a href=\"https://science.nasa.gov/image-article/a/\">star</a>"))
        #expect(html.contains("<a href=\"https://example.org/?a=1&amp;b=2\">gas</a>"))
        #expect(html.hasSuffix("<i>more</i>.<br><br>Second"))
        for word in ["Tomorrow", "next", "script", "onclick", "javascript", "bad()"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.firstRange(of: "<a ") != nil)
    }

    @Test func aLinkInALinkIsLeftOut() async throws {
        let explanation = "<a href='/a/'>one <b><a href='/b/'>two</a> three</b></a> four"
        let html = try await entry(["explanation": explanation]).explanationHTML

        #expect(html == "<a href=\"https://science.nasa.gov/a/\">one <b>two</b></a> three four")
    }
}
