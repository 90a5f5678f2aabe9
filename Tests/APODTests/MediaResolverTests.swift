import JSON
import Testing
import Transfer

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct MediaResolverTests {
    private static let assets = "https://assets.science.nasa.gov"
    private static let folder = "science/cds/apod/apod/2026/october"
    private static let next = "science/cds/apod/apod/2026/november"
    private static let placeholder = """
        \(assets)/dynamicimage/assets/science/astro/programs/cosmic-origins/images/misc/\
        news-thumbnail.png?w=594&h=516&fit=clip
        """

    private func media(
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

    @Test func aVideoOnAHostOfNASAIsAFile() throws {
        let media = try media([
            "media_type": "video", "hdurl": "\(Self.assets)/content/dam/\(Self.folder)/still.png",
            "basic_html":
                "<video><source src='\(Self.assets)/content/dam/a.MP4' type=video/mp4></video>",
        ])

        #expect(media.video == "\(Self.assets)/content/dam/a.MP4")
        #expect(media.videoIsFile)
        #expect(
            media.pictures.map(\.url).first == "\(Self.assets)/content/dam/\(Self.folder)/still.png"
        )
    }

    @Test(arguments: [
        ("//www.youtube.com/embed/UgxWkOXcdZU?rel=0&amp;x=1", "UgxWkOXcdZU"),
        ("https://youtu.be/UgxWkOXcd-U", "UgxWkOXcd-U"),
        ("https://www.youtube.com/watch?app=1&v=UgxWkOXcd_U", "UgxWkOXcd_U"),
        ("https://www.youtube-nocookie.com/embed/UgxWkOXcdZU", "UgxWkOXcdZU"),
        ("https://www.youtube.com/embed/videoseries?list=x", nil),
        ("https://player.vimeo.com/video/16917950", nil),
        ("https://notyoutube.com/embed/UgxWkOXcdZU", nil),
    ])
    func anEmbeddedVideoHasAPoster(source: String, identifier: String?) throws {
        let media = try media([
            "media_type": "video", "hdurl": Self.placeholder,
            "basic_html": "<iframe width=\"960\" src=\"\(source)\" allowfullscreen></iframe>",
        ])

        #expect(media.video?.hasPrefix("https://") == true)
        #expect(media.video?.contains("&amp;") == false)
        #expect(!media.videoIsFile)
        #expect(
            media.pictures.map(\.url)
                == (identifier.map { id in
                    ["maxres", "sd", "hq"].map {
                        "https://img.youtube.com/vi/\(id)/\($0)default.jpg"
                    }
                } ?? []))
    }

    /// Whatever names a poster of YouTube, in whatever size.
    @Test(arguments: [
        (["hdurl": "https://img.youtube.com/vi/UgxWkOXcdZU/hqdefault.jpg"], "img.youtube.com"),
        (["hdurl": "https://i.ytimg.com/vi/UgxWkOXcdZU/mqdefault.jpg?sqp=1"], "i.ytimg.com"),
        (
            ["basic_html": "<video poster='https://i.ytimg.com/vi_webp/UgxWkOXcdZU/0.webp'>"],
            "i.ytimg.com"
        ),
        (
            ["basic_html": "<img src='//img.youtube.com/vi/UgxWkOXcdZU/default.jpg'>"],
            "img.youtube.com"
        ),
    ])
    func aNamedPosterOfYouTubeIsAfterTheLargerOnes(
        fields: [String: String], host: String
    ) throws {
        let player = "<iframe src='https://player.vimeo.com/video/16917950'></iframe>"
        let page = (fields["basic_html"] ?? "") + player
        let media = try media(
            fields.merging(["media_type": "video", "basic_html": page]) { $1 })

        #expect(
            media.pictures.map(\.url).prefix(3)
                == ["maxres", "sd", "hq"].map {
                    "https://\(host)/vi/UgxWkOXcdZU/\($0)default.jpg"
                }[...])
    }

    @Test func anotherPictureInADirectoryOfThatNameIsAlone() throws {
        for url in ["https://example.org/vi/a.jpg", "https://example.org/vi/short/a.jpg"] {
            #expect(try media(["hdurl": url]).pictures.map(\.url) == [url])
        }
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

    @Test(arguments: [
        "<noscript><iframe src='https://www.googletagmanager.com/ns.html'></iframe></noscript>",
        "<iframe src='https://tags.example.com/' height='0' width='0'></iframe>",
        "<iframe src='///Users/jtbonnel/Desktop/apodT/video.html'></iframe>",
        "<iframe src='https:///Users/video.html'></iframe>",
    ])
    func aFrameThatIsNoPlayerIsNoVideo(frame: String) throws {
        let fields = ["media_type": "video", "hdurl": Self.placeholder]
        let alone = try media(fields.merging(["basic_html": frame]) { $1 })
        let beside = try media(
            fields.merging(["basic_html": frame + "<img src='/content/dam/a.jpg'>"]) { $1 })

        #expect(alone == Media())
        #expect(beside.video == nil && beside.pictures.count == 1)
    }

    @Test(arguments: [
        ("https://www.youtube.com/embed/UgxWkOXcdZU", true),
        ("https://svs.gsfc.nasa.gov/vis/a.html", true), ("https://example.org/a.mp4", true),
        ("https://example.org/page", false),
    ])
    func besideAnImageOnlyAKnownPlayerIsTheVideo(source: String, isVideo: Bool) throws {
        let media = try media([
            "media_type": "video", "hdurl": Self.placeholder,
            "basic_html": "<img src='/content/dam/a.jpg'><iframe src='\(source)'></iframe>",
        ])

        #expect((media.video == source) == isVideo)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/a.mp4", true), ("http://127.0.0.1:8081/a.mp4", false),
        ("/a.webm", true), ("https://example.org/a.mp4", false), ("/a.html", false),
        ("/a.MOV", true), ("/a.m4v", true), ("/a.wmv", false),
        ("https://svs.gsfc.nasa.gov/a.mp4", true),
    ])
    func aVideoOnTheUpstreamIsAFile(source: String, isFile: Bool) throws {
        let media = try media(
            ["media_type": "iframe", "basic_html": "<iframe src='\(source)'></iframe>"],
            upstream: "http://127.0.0.1:8080")

        #expect(media.videoIsFile == isFile)
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

    @Test func aFilmAmongPicturesIsLastAndIsTheVideo() throws {
        let folder = "https://apod.nasa.gov/apod/image/1501"
        let media = try media(
            ["hdurl": "\(folder)/p.mp4", "url": "\(folder)/p.gif"], as: v1Element)

        #expect(media.pictures.first?.url == "\(folder)/p.gif")
        #expect(media.pictures.contains { $0.url == "\(folder)/p.mp4" })
        #expect(media.video == "\(folder)/p.mp4")
        #expect(media.videoIsFile)
    }

    @Test(arguments: [
        (["thumbnail_url": "https://a/0.jpg"], "https://a/0.jpg"),
        (["hdurl": "https://a/hd.jpg", "thumbnail_url": "https://a/0.jpg"], "https://a/hd.jpg"),
        ([:], nil), (["thumbnail_url": "https://img.youtube.com/vi/M6-iC_aYcug/0.jpg"], nil),
    ])
    func aV1VideoHasAPoster(fields: [String: String], poster: String?) throws {
        let video = "https://www.youtube.com/embed/M6-iC_aYcug?rel=0"
        let media = try media(
            fields.merging(["media_type": "video", "url": video]) { $1 }, as: v1Element)

        let largest = "https://img.youtube.com/vi/M6-iC_aYcug/maxresdefault.jpg"
        #expect(media.video == video && media.pictures.first?.url == poster ?? largest)
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
