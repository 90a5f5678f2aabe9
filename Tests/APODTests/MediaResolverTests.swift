import JSON
import MediaFormat
import Testing
import Transfer

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct MediaResolverTests {
    static let assets = "https://assets.science.nasa.gov"
    static let folder = "science/cds/apod/apod/2026/october"
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

    /// Writes out `DAM`, `NEXT` and `PREV`, folders of originals of the month, of the next one and of the one before, and
    /// `SCALED`, of any size.
    private static func full(_ text: String) -> String {
        text.replacing("DAM", with: "\(assets)/content/dam/\(folder)")
            .replacing("NEXT", with: "\(assets)/content/dam/science/cds/apod/apod/2026/november")
            .replacing("PREV", with: "\(assets)/content/dam/science/cds/apod/apod/2026/september")
            .replacing("SCALED", with: "\(assets)/dynamicimage/assets/\(folder)")
    }

    private static let rendition = "jcr:content/renditions/cq5dam.web.1280.1280.jpeg"

    /// The address in `hdurl`, the page, and the pictures that are sought, the best first.
    static let rows: [(String, String, [String])] = [
        // The original, those of the months around it, where NASA files some of the days, and the one of any size.
        (
            "SCALED/a.png?w=9&h=6&fit=clip", "",
            ["DAM/a.png", "NEXT/a.png", "PREV/a.png", "SCALED/a.png"]
        ),
        // A rendition is replaced by its original.
        ("DAM/a.jpg/\(rendition)", "", ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]),
        ("DAM/a.jpg/\(rendition)?w=4", "", ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]),
        (
            "DAM/a.jpg/\(rendition.replacing(":", with: "%3a"))", "",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        ("DAM/a.jpg?w=400&h=400&fit=clip", "", ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]),
        ("", "<img src='DAM/a.jpg/\(rendition)'>", ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]),
        // Blanks, brackets and plus signs of a name stay.
        (
            "DAM/Harvest%20Moon%20(LD)+[b].jpg", "",
            ["DAM", "NEXT", "PREV"].map { "\($0)/Harvest%20Moon%20(LD)+[b].jpg" }
        ),
        // A script loads the picture from another attribute.
        (placeholder, "<img data-src='DAM/a.jpg'>", ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]),
        (
            "", "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' data-src='DAM/a.jpg'>",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        (
            "", "<img src='\(placeholder)' srcset='DAM/a.jpg 300w, DAM/b,c.jpg 1024w, DAM/d.jpg'>",
            ["DAM/b,c.jpg", "NEXT/b,c.jpg", "PREV/b,c.jpg"]
        ),
        ("", "<img srcset='DAM/a.jpg, DAM/b.jpg 2x'>", ["DAM/b.jpg", "NEXT/b.jpg", "PREV/b.jpg"]),
        (
            "", "<img src='/wp-content/blank.gif' data-src='DAM/a.jpg'>",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        (
            "", "<img src='//a.org/1.gif' data-srcset='DAM/b.jpg 1x, DAM/a.jpg 2x'>",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        (
            "", "<img src='' data-lazy-src='DAM/a.jpg'>",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        (
            "",
            "<picture><source srcset='DAM/a.jpg 2x'><img src='data:image/gif;base64,AA'></picture>",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        // What counts readers is no picture; without a known size, WordPress writes 0.
        (
            "",
            "<img src='//a.org/count.gif' width='1' height='1'><img src='//b.org/a.jpg' width='0'>",
            ["https://b.org/a.jpg"]
        ),
        // A relative address is one of the page.
        (
            "", "<base href='https://apod.nasa.gov/apod/'><img src='image/2610/a.jpg'>",
            [
                "https://apod.nasa.gov/apod/image/2610/a.jpg", "DAM/a.jpg", "NEXT/a.jpg",
                "PREV/a.jpg",
            ]
        ),
        // A frame without a page is no video.
        (
            "DAM/a.jpg", "<iframe src='about:blank'></iframe><img src='DAM/a.jpg'>",
            ["DAM/a.jpg", "NEXT/a.jpg", "PREV/a.jpg"]
        ),
        // Another picture on the page is first.
        (
            "DAM/big.jpg", "<img src='//example.org/first.jpg'><img src='second.jpg'>",
            ["https://example.org/first.jpg", "DAM/big.jpg", "NEXT/big.jpg", "PREV/big.jpg"]
        ),
        // Pictures outside of the archive are placeholders, unless nothing else is on the page.
        ("\(assets)/dynamicimage/assets/science/astro/x/banner.png?w=594&h=516", "", []),
        ("\(assets)/content/dam/science/missions/hubble/logo.jpg", "", []),
        ("https://science.nasa.gov/wp-content/uploads/2026/09/default.jpg", "", []),
        (
            "\(assets)/content/dam/science/missions/hubble/logo.jpg", "<img src='DAM/real.gif'>",
            ["DAM/real.gif", "NEXT/real.gif", "PREV/real.gif"]
        ),
    ]

    @Test(arguments: rows)
    func thePicturesAreSoughtInOrder(hdurl: String, page: String, pictures: [String]) throws {
        let media = try media(["hdurl": Self.full(hdurl), "basic_html": Self.full(page)])

        #expect(media.pictures.map(\.url) == pictures.map(Self.full))
        #expect(media.video == nil)
    }

    /// All have the size that NASA announces, if it is one.
    @Test(arguments: [
        ("w=4455&h=5592&fit=clip", 4455), ("w=0&h=0", nil), ("w=x&h=y", nil), ("", nil),
    ])
    func theAnnouncedSizeIsThatOfAllPictures(query: String, width: Int?) throws {
        let media = try media(["hdurl": Self.full("SCALED/a.png?\(query)")])

        #expect(media.pictures.map(\.announcedSize?.width) == [width, width, width, width])
        #expect(media.pictures.first?.announcedSize?.height == width.map { _ in 5592 })
    }

    @Test func aPictureOutsideOfTheArchiveIsSoughtIfThePageHasIt() throws {
        let url = "https://science.nasa.gov/wp-content/uploads/2026/09/default.jpg"

        #expect(try !media(["hdurl": url, "basic_html": "<img src='\(url)'>"]).pictures.isEmpty)
    }

    @Test func ofTwoPicturesOnAPageOneIsThatOfTheDay() throws {
        let two = "<IMG SRC=\"SCALED/annotated.jpg?w=900\"><img src=\"SCALED/plain.jpg\">"
        let fields = ["hdurl": "SCALED/plain.jpg?w=1600&h=1067&fit=clip", "basic_html": two]
        let urls = try media(fields.mapValues(Self.full)).pictures.map(\.url)

        #expect(urls.first == Self.full("DAM/plain.jpg"))
        #expect(!urls.contains { $0.contains("annotated") })

        // Of two pictures in one place, the second one shows when the mouse is on the first.
        let base = "smd-image-rollover__image"
        let rollover = """
            <img class="\(base) \(base)--secondary" src="DAM/lines.jpg">
            <img class="\(base) \(base)--primary" src="DAM/stars.jpg">
            """
        let shown = try media(["hdurl": Self.placeholder, "basic_html": Self.full(rollover)])
        #expect(shown.pictures.first?.url == Self.full("DAM/stars.jpg"))
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
        #expect(media.pictures.map(\.announcedSize?.width) == [16, 16, 16])
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

        let urls = ["content/dam/a.jpg", "dynamicimage/assets/a.jpg"].map {
            "http://127.0.0.1:8080/\($0)"
        }
        let size = PixelSize(width: 8, height: 6)
        #expect(media.pictures == urls.map { PictureAddress($0, announcedSize: size) })
    }

    @Test(arguments: [
        ("1803/crab_lg.jpg", "2018/march/crab_lg.jpg"), ("9702/x.gif", "1997/february/x.gif"),
        ("e_lens.gif", nil), ("2610/x.gif", nil),
    ])
    func anOldURLIsMappedToTheDirectoriesOfItsDayAndOfItsMonth(old: String, new: String?) throws {
        let media = try media(["url": "https://apod.nasa.gov/apod/image/\(old) "], as: v1Element)
        let name = old.split(separator: "/").last ?? ""

        let mapped = [
            "2026/october/\(name)", "2026/november/\(name)", "2026/september/\(name)", new,
        ].compactMap(\.self).map {
            "\(Self.assets)/content/dam/science/cds/apod/apod/\($0)"
        }
        #expect(
            media.pictures.map(\.url) == ["https://apod.nasa.gov/apod/image/\(old)"] + mapped)
    }

    @Test(arguments: [
        ["https://example.org/apod/image/1803/x.jpg"], ["https://apod.nasa.gov/x/1803/x.jpg"],
        ["https://apod.nasa.gov/apod/image/abcd/x.jpg"],
        // The large one is first.
        ["https://a/large.jpg", "https://a/small.jpg"],
    ])
    func otherPicturesOfV1AreNotMapped(urls: [String]) throws {
        let fields = urls.count == 1 ? ["url": urls[0]] : ["hdurl": urls[0], "url": urls[1]]

        #expect(try media(fields, as: v1Element).pictures.map(\.url) == urls)
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
