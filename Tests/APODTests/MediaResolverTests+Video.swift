import Testing
import Transfer

@testable import APOD

/// Videos, their players and their posters.
extension MediaResolverTests {
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

    /// NASA's asset store makes a small picture of each file.
    @Test(arguments: ["<video src='URL'></video>", "<video data-src='URL'></video>"])
    func theLastPosterOfAVideoAtNASAIsTheOneOfItsStore(video: String) throws {
        let url = "\(Self.assets)/content/dam/\(Self.folder)/v.mp4"
        let media = try media([
            "media_type": "video", "hdurl": Self.placeholder,
            "basic_html": "<iframe src='about:blank'></iframe>\(video.replacing("URL", with: url))",
        ])

        #expect(media.video == url && media.videoIsFile)
        #expect(
            media.pictures.map(\.url)
                == ["\(url)/jcr:content/renditions/cq5dam.thumbnail.319.319.png"])
    }

    /// Whatever names a poster of YouTube, in whatever size.
    @Test(arguments: [
        ("https://img.youtube.com/vi/UgxWkOXcdZU/hqdefault.jpg", "", "img.youtube.com"),
        ("https://i.ytimg.com/vi/UgxWkOXcdZU/mqdefault.jpg?sqp=1", "", "i.ytimg.com"),
        ("", "<video poster='https://i.ytimg.com/vi_webp/UgxWkOXcdZU/0.webp'>", "i.ytimg.com"),
        ("", "<img src='//img.youtube.com/vi/UgxWkOXcdZU/default.jpg'>", "img.youtube.com"),
    ])
    func aNamedPosterOfYouTubeIsAfterTheLargerOnes(
        hdurl: String, page: String, host: String
    ) throws {
        let player = "<iframe src='https://player.vimeo.com/video/16917950'></iframe>"
        let media = try media([
            "media_type": "video", "hdurl": hdurl, "basic_html": page + player,
        ])

        let largest = ["maxres", "sd", "hq"].map {
            "https://\(host)/vi/UgxWkOXcdZU/\($0)default.jpg"
        }
        #expect(Array(media.pictures.map(\.url).prefix(3)) == largest)
    }

    @Test func anotherPictureInADirectoryOfThatNameIsAlone() throws {
        for url in ["https://example.org/vi/a.jpg", "https://example.org/vi/short/a.jpg"] {
            #expect(try media(["hdurl": url]).pictures.map(\.url) == [url])
        }
    }

    @Test(arguments: [
        "<noscript><iframe src='https://www.googletagmanager.com/ns.html'></iframe></noscript>",
        "<iframe src='https://tags.example.com/' height='0' width='0'></iframe>",
        "<iframe src='https://tags.example.com/' height='0'></iframe>",
        "<iframe src='https://tags.example.com/' width='0' height='315'></iframe>",
        "<iframe src='https://tags.example.com/' width='1' height='1'></iframe>",
        "<iframe src='https://tags.example.com/' style='DISPLAY : none !important'></iframe>",
        "<iframe src='https://tags.example.com/' style='border:0;visibility:hidden'></iframe>",
        "<iframe src='https://tags.example.com/' hidden></iframe>",
        "<div style='display:none'><p><iframe src='https://tags.example.com/'></iframe></p></div>",
        "<iframe src='https://www.googletagmanager.com/ns.html?id=GTM-1'></iframe>",
        "<iframe src='https://www.youtube.com/embed/UgxWkOXcdZU' height='0'></iframe>",
        "<iframe src='https://www.youtube.com/embed/UgxWkOXcdZU' style='display:none'></iframe>",
        "<embed src='https://example.org/a.mp4' width='1' height='1'>",
        "<object data='https://example.org/a.mp4' hidden><param name='src' value='/a.mp4'></object>",
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

    /// The day may be an interactive page of a site that the mirror does not know.
    @Test(arguments: ["", "width='100%' height='540'", "style='width:100%'"])
    func anUnknownPlayerIsALinkWhereItIsVisible(attributes: String) throws {
        for element in [
            "<iframe ATTRIBUTES></iframe>", "<div style='height:0'><iframe ATTRIBUTES></div>",
        ] {
            let page = element.replacing(
                "ATTRIBUTES", with: "src='https://earth.nullschool.net/' \(attributes)")
            let media = try media([
                "media_type": "video", "hdurl": Self.placeholder,
                "basic_html": "<p hidden>x</p><noscript>y</noscript>\(page)",
            ])

            #expect(media == Media(video: "https://earth.nullschool.net/"))
        }
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
        (
            "<p>\(assets)/content/dam/\(folder)/film.mp4</p>",
            "\(assets)/content/dam/\(folder)/film.mp4"
        ),
        // An address in a sentence, or of another page, is none.
        ("<p>See <a href='https://youtu.be/UgxWkOXcdZU'>this</a></p>", nil),
        ("<p>https://example.org/page</p>", nil),
        ("<p>watch https://youtu.be/UgxWkOXcdZU here</p>", nil),
    ])
    func aVideoIsFoundHoweverItIsEmbedded(page: String, part: String?) throws {
        let type = part == nil ? "image" : "video"
        let media = try media(["media_type": type, "basic_html": page])

        guard let part else { return #expect(media.video == nil) }
        #expect(media.video?.contains(part) == true)
        guard part == "UgxWkOXcdZU" else { return }
        #expect(media.pictures.last?.url == "https://img.youtube.com/vi/\(part)/hqdefault.jpg")
    }

    @Test(arguments: [
        "<audio controls><source src='\(assets)/content/dam/\(folder)/song.mp3'></audio>",
        "<picture><source src='\(assets)/content/dam/\(folder)/a.webp'></picture>",
    ])
    func aSourceOutsideOfAVideoIsNoVideo(page: String) throws {
        #expect(try media(["basic_html": page]).video == nil)
        let video =
            "<video><source src='\(Self.assets)/content/dam/\(Self.folder)/film.mp4'></video>"
        #expect(
            try media(["basic_html": page + video]).video
                == "\(Self.assets)/content/dam/\(Self.folder)/film.mp4")
    }
}
