import Testing
import Transfer

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    @Test(arguments: [
        ("https://a.nasa.gov/x.jpg", "https://a.nasa.gov/x.jpg"),
        ("http://a.nasa.gov/x.jpg ", "http://a.nasa.gov/x.jpg"),
        ("\n HTTPS://A.nasa.GOV/X.jpg\t", "https://a.nasa.gov/X.jpg"),
        ("//www.youtube.com/embed/ID?rel=0&x=1", "https://www.youtube.com/embed/ID?rel=0&x=1"),
        ("/feed/x.png", "http://base/feed/x.png"),
        ("image/x.png", "http://base/image/x.png"),
        ("/time/12:30.png", "http://base/time/12:30.png"),
        ("https://a/Harvest Moon.jpg", "https://a/Harvest%20Moon.jpg"),
        ("https://a/Harvest%20Moon.jpg", "https://a/Harvest%20Moon.jpg"),
        ("https://a/é\"<>.jpg", "https://a/%C3%A9%22%3C%3E.jpg"),
        ("https://a/x\ny.jpg", "https://a/xy.jpg"),
        ("https://a/x.jpg#top", "https://a/x.jpg"),
        ("https://a?q", "https://a/?q"),
    ])
    func aLinkIsResolved(text: String, expected: String) {
        #expect(WebURL(link: text, relativeTo: "http://base/")?.text == expected)
    }

    @Test(arguments: [
        "", "  ", "#", "#top", "data:image/png;base64,AA", "javascript:alert(1)", "mailto:a@b",
        "javascript://nasa.gov/%0aalert(1)", "file:///etc/passwd", "ftp://a/x.jpg", "https:",
        "https://", "//", "https://a\0/", "///Users/jtbonnel/ap261004.html", "https:///Users/a.jpg",
        "https:/Users/a.jpg", "HTTP:/Users/a.jpg", "////Users/a.jpg",
    ])
    func otherSchemesAreRejected(text: String) {
        #expect(WebURL(link: text, relativeTo: "http://base/") == nil)
    }

    @Test func fieldsAreAppendedToTheQuery() throws {
        let url: WebURL = "https://a/b?lang=en"

        #expect(
            url.appending("261120").adding(["api_key": "k&=?"]).text
                == "https://a/b/261120?lang=en&api_key=k%26%3D%3F")
    }

    @Test func theFileNameIsDecoded() {
        let names = ["https://a/Harvest%20Moon.JPG?w=1", "https://b/x/Harvest Moon.jpg"].map {
            WebURL(link: $0)?.fileName
        }

        #expect(names == ["harvest moon.jpg", "harvest moon.jpg"])
    }

    @Test(arguments: ["a.JPG?w=1": "jpg", "a.b.png": "png", "jpg.": "", "jpg": "", "x.jpg/y": ""])
    func theExtensionFollowsTheLastDot(path: String, expected: String) {
        #expect(WebURL(link: "https://a/\(path)")?.pathExtension == expected)
    }

    // MARK: Pages of videos

    /// `ID` stands for the identifier of a video.
    @Test(arguments: [
        ("https://www.youtube.com/embed/ID?rel=0", "www.youtube.com/watch?v=ID"),
        ("//www.youtube.com/embed/ID?vq=hd720", "www.youtube.com/watch?v=ID"),
        ("https://www.youtube-nocookie.com/embed/ID?start=90", "www.youtube.com/watch?v=ID&t=90"),
        ("https://www.youtube-nocookie.com/v/ID", "www.youtube.com/watch?v=ID"),
        ("https://www.youtube-nocookie.com/watch?v=ID", "www.youtube.com/watch?v=ID"),
        ("http://youtu.be/ID?t=5", "www.youtube.com/watch?v=ID&t=5"),
        ("https://www.youtube.com/watch?v=ID", "www.youtube.com/watch?v=ID"),
        ("https://www.youtube.com/live/ID?feature=share", "www.youtube.com/watch?v=ID"),
        (
            "https://www.youtube.com/embed/videoseries?list=PL123",
            "www.youtube.com/playlist?list=PL123"
        ),
        ("https://www.youtube.com/user/NASAJPLnews", "www.youtube.com/user/NASAJPLnews"),
        ("https://www.youtube.com/@nasa", "www.youtube.com/@nasa"),
        ("//player.vimeo.com/video/80568171?portrait=0", "vimeo.com/80568171"),
        ("https://player.vimeo.com/video/80568171?h=ab12", "vimeo.com/80568171/ab12"),
        ("https://vimeo.com/80568171/ab12", "vimeo.com/80568171/ab12"),
        ("https://vimeo.com/80568171/settings", "vimeo.com/80568171"),
        ("https://player.vimeo.com/video/80568171?h=", "vimeo.com/80568171"),
        ("https://player.vimeo.com/video/x", "player.vimeo.com/video/x"),
        ("http://svs.gsfc.nasa.gov/1234", "svs.gsfc.nasa.gov/1234"),
        ("http://sci.esa.int/comet-viewer/?a=b", "sci.esa.int/comet-viewer/?a=b"),
        ("https://assets.science.nasa.gov/a film.mp4", "assets.science.nasa.gov/a%20film.mp4"),
    ])
    func aVideoHasAPage(video: String, page: String) {
        let found = VideoPageURL(of: video.replacing("ID", with: "M6-iC_aYcug"))?.url

        #expect(found == "https://" + page.replacing("ID", with: "M6-iC_aYcug"))
    }

    @Test(arguments: [
        "", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x",
        "http://127.0.0.1:8099/film.mp4", "https://notyoutube.com/embed/M6-iC_aYcug",
        "https://example.org/video", "https://www.youtube.com:8080/watch?v=x",
        "https://www.youtube.com@example.org/", "https://nasa.gov.example.org/",
        "https://user@www.nasa.gov/", "https://192.168.1.1/",
    ])
    func unknownSitesAreRejected(video: String) {
        #expect(VideoPageURL(of: video) == nil)
    }

    @Test(arguments: [
        ("https://science.nasa.gov/image-article/x/", "https://science.nasa.gov/image-article/x/"),
        ("http://apod.nasa.gov/apod/ap070713.html", "https://apod.nasa.gov/apod/ap070713.html"),
        ("https://example.org/", nil), ("https://www.youtube.com/watch?v=M6-iC_aYcug", nil),
    ])
    func onlyAPageOfNASAReplacesAVideo(article: String, page: String?) {
        #expect(VideoPageURL(article: article)?.url == page)
    }
}
