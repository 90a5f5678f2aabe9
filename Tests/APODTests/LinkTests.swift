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
}
