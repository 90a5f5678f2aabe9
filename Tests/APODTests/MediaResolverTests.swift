import JSON
import Testing
import Transfer

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct MediaResolverTests {
    static let assets = "https://assets.science.nasa.gov"
    static let folder = "science/cds/apod/apod/2026/october"
    private static let next = "science/cds/apod/apod/2026/november"
    static let placeholder = """
        \(assets)/dynamicimage/assets/science/astro/programs/cosmic-origins/images/misc/\
        news-thumbnail.png?w=594&h=516&fit=clip
        """

    func media(
        _ fields: [String: String],
        as shape: (String, [String: String]) -> String = basicElement,
        upstream: String = "https://science.nasa.gov/apod-basic"
    ) throws -> Media {
        let url = try WebURL(upstream)
        let json = RawJSON(Array(shape("2026-10-02", fields).utf8)[...])
        return try EntryDecoder(upstream: url).entry(from: RawEntry(json: json)).media
    }

    @Test func theOriginalIsFirstThenThatOfTheNextMonthAndAllHaveItsSize() throws {
        let media = try media([
            "hdurl":
                "\(Self.assets)/dynamicimage/assets/\(Self.folder)/a%20b.png?w=4455&h=5592&fit=clip"
        ])

        #expect(
            media.pictures == [
                PictureAddress(
                    "\(Self.assets)/content/dam/\(Self.folder)/a%20b.png", width: 4455, height: 5592
                ),
                PictureAddress(
                    "\(Self.assets)/content/dam/\(Self.next)/a%20b.png", width: 4455, height: 5592
                ),
                PictureAddress(
                    "\(Self.assets)/dynamicimage/assets/\(Self.folder)/a%20b.png", width: 4455,
                    height: 5592),
            ])
        #expect(media.video == nil)
    }

    @Test(arguments: ["w=0&h=0", "w=10", "w=x&h=y", "fit=clip", ""])
    func anInvalidSizeIsIgnored(query: String) throws {
        let media = try media([
            "hdurl": "\(Self.assets)/dynamicimage/assets/\(Self.folder)/a.png?\(query)"
        ])

        #expect(media.pictures.map(\.width) == [nil, nil, nil])
    }

    @Test func theSamePictureOnThePageHasTheSameSize() throws {
        let media = try media([
            "hdurl": "\(Self.assets)/dynamicimage/assets/a%20b.jpg?w=16&h=10&fit=clip",
            "basic_html":
                "<a href=\"#\"><IMG SRC=\"\(Self.assets)/content/dam/other/A b.jpg\"></a>",
        ])

        #expect(
            media.pictures.map(\.url) == [
                "\(Self.assets)/content/dam/a%20b.jpg",
                "\(Self.assets)/dynamicimage/assets/a%20b.jpg",
                "\(Self.assets)/content/dam/other/A%20b.jpg",
            ])
        #expect(media.pictures.map(\.width) == [16, 16, 16])
    }

    @Test func anotherPictureOnThePageIsFirst() throws {
        let media = try media([
            "hdurl": "\(Self.assets)/content/dam/\(Self.folder)/big.jpg",
            "basic_html": "<img src='//example.org/first.jpg'><img src='second.jpg'>",
        ])

        #expect(
            media.pictures.map(\.url) == [
                "https://example.org/first.jpg",
                "\(Self.assets)/content/dam/\(Self.folder)/big.jpg",
                "\(Self.assets)/content/dam/\(Self.next)/big.jpg",
            ])
    }

    @Test(arguments: [
        placeholder, "https://science.nasa.gov/x/NASA-Meatball.png",
        "https://x/nasa-meatball-large.png",
        "https://science.nasa.gov/wp-content/nasa-logo@2x.png", "", "#", "javascript:void(0)",
    ])
    func aPlaceholderIsNotAPicture(hdurl: String) throws {
        let lost = try media(["hdurl": hdurl])
        let found = try media([
            "hdurl": hdurl, "basic_html": "<img src='\(hdurl)'><img src='/content/dam/e_lens.gif'>",
        ])

        #expect(lost == Media())
        #expect(found.pictures.map(\.url) == ["https://science.nasa.gov/content/dam/e_lens.gif"])
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/pictures/a.jpg", true),
        ("http://127.0.0.1:8080/content/dam/science/cds/apod/a.jpg", true),
        ("http://127.0.0.1:8080/content/dam/science/hubble/a.jpg", false),
        ("http://127.0.0.1:8080/dynamicimage/assets/science/x/a.jpg?w=4&h=3", false),
        ("http://127.0.0.1:8080/wp-content/uploads/a.jpg", false),
        ("https://example.org/a.jpg", true),
    ])
    func picturesOfOtherServersMayBeOutsideOfTheArchive(
        hdurl: String, isPicture: Bool
    ) throws {
        let media = try media(["hdurl": hdurl], upstream: "http://127.0.0.1:8080")

        #expect(media.pictures.isEmpty != isPicture)
    }

    /// Of two pictures in one place, the second one shows when the mouse is on the first.
    @Test func ofARolloverThePrimaryPictureIsTheOne() throws {
        let base = "smd-image-rollover__image"
        let media = try media([
            "hdurl": Self.placeholder,
            "basic_html": """
            <img class="\(base) \(base)--secondary" src="/content/dam/\(Self.folder)/lines.jpg">
            <img class="\(base) \(base)--primary" src="/content/dam/\(Self.folder)/stars.jpg">
            """,
        ])

        #expect(media.pictures.first?.url.hasSuffix("/stars.jpg") == true)
    }

    @Test(arguments: [
        ("foo_1024.png", "foo_big.png", true), ("x_960.jpg", "x_big.jpg", true),
        ("m31_peris900.jpg", "m31_peris.jpg", true), ("a/m31.jpg", "b/m31.jpg", true),
        ("crab_1024.png", "moon_1024.png", false), ("crab.png", "crab.html", false),
    ])
    func theOriginalIsTheLinkedPictureOfTheSameName(
        shown: String, linked: String, isOriginal: Bool
    ) throws {
        let root = "https://science.nasa.gov/content/dam"
        let media = try media([
            "hdurl": Self.placeholder,
            "basic_html":
                "<a href='/content/dam/\(linked)'><img src='/content/dam/\(shown)'></a><a href='x_big.jpg'>x</a>",
        ])

        #expect(
            media.pictures.map(\.url)
                == (isOriginal ? ["\(root)/\(linked)"] : []) + ["\(root)/\(shown)"])
    }

    @Test func theOriginalIsOnTheSameServer() throws {
        let media = try media(
            ["basic_html": "<img src='/dynamicimage/assets/a.jpg?w=8&h=6'>"],
            upstream: "http://127.0.0.1:8080")

        #expect(
            media.pictures == [
                PictureAddress("http://127.0.0.1:8080/content/dam/a.jpg", width: 8, height: 6),
                PictureAddress(
                    "http://127.0.0.1:8080/dynamicimage/assets/a.jpg", width: 8, height: 6),
            ])
    }

    @Test(arguments: [
        ("1803/crab_lg.jpg", "2018/march/crab_lg.jpg"), ("9702/x.gif", "1997/february/x.gif"),
        ("e_lens.gif", nil), ("2610/x.gif", nil),
    ])
    func anOldURLIsMappedToTheDirectoriesOfItsDayAndOfItsMonth(old: String, new: String?) throws {
        let media = try media(["url": "https://apod.nasa.gov/apod/image/\(old) "], as: v1Element)
        let name = old.split(separator: "/").last ?? ""

        #expect(
            media.pictures.map(\.url) == [
                "https://apod.nasa.gov/apod/image/\(old)"
            ]
                + ["2026/october/\(name)", "2026/november/\(name)", new].compactMap(\.self).map {
                    "\(Self.assets)/content/dam/science/cds/apod/apod/\($0)"
                })
    }

    @Test(arguments: [
        "https://example.org/apod/image/1803/x.jpg", "https://apod.nasa.gov/x/1803/x.jpg",
        "https://apod.nasa.gov/apod/image/abcd/x.jpg",
    ])
    func otherURLsAreNotMapped(url: String) throws {
        #expect(try media(["url": url], as: v1Element).pictures.map(\.url) == [url])
    }

    @Test func theLargePictureOfAV1EntryIsFirst() throws {
        let media = try media(
            ["hdurl": "https://a/large.jpg", "url": "https://a/small.jpg"], as: v1Element)

        #expect(media.pictures.map(\.url) == ["https://a/large.jpg", "https://a/small.jpg"])
        #expect(media.video == nil)
    }

    @Test(arguments: [
        ("other", "https://example.org/game", "https://example.org/game"),
        ("other", "https://example.org/a.jpg", nil), ("unheard", "https://a/b.png", nil),
    ])
    func anUnknownMediaTypeIsDeterminedByTheURL(type: String, url: String, video: String?) throws {
        let media = try media(["media_type": type, "url": url], as: v1Element)

        #expect(media.video == video)
        #expect(media.pictures.isEmpty == (video != nil))
    }

    @Test func thePageDecidesIfThePictureIsMissing() throws {
        let media = try media([
            "media_type": "image", "hdurl": Self.placeholder,
            "basic_html": "<iframe src='https://example.org/page'></iframe>",
        ])

        #expect(media == Media(video: "https://example.org/page"))
    }
}
