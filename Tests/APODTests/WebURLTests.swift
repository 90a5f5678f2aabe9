import Testing

@testable import APOD

@Suite(.timeLimit(.minutes(1))) struct WebURLTests {
    @Test(arguments: [
        ("https://a.nasa.gov/x.jpg", "https://a.nasa.gov/x.jpg"),
        ("http://a.nasa.gov/x.jpg ", "http://a.nasa.gov/x.jpg"),
        ("\n HTTPS://A.nasa.GOV/X.jpg\t", "https://a.nasa.gov/X.jpg"),
        ("//www.youtube.com/embed/ID?rel=0&x=1", "https://www.youtube.com/embed/ID?rel=0&x=1"),
        ("/feed/x.png", "https://base/feed/x.png"),
        ("image/x.png", "https://base/image/x.png"),
        ("/time/12:30.png", "https://base/time/12:30.png"),
        ("https://a/Harvest Moon.jpg", "https://a/Harvest%20Moon.jpg"),
        ("https://a/Harvest%20Moon.jpg", "https://a/Harvest%20Moon.jpg"),
        ("https://a/é\"<>.jpg", "https://a/%C3%A9%22%3C%3E.jpg"),
        ("https://a/x\ny.jpg", "https://a/xy.jpg"),
        ("https://a/x.jpg#top", "https://a/x.jpg"),
        ("https://a?q", "https://a?q"),
    ])
    func aURLIsResolved(text: String, expected: String) {
        #expect(WebURL(text, relativeTo: "https://base")?.description == expected)
    }

    @Test(arguments: [
        "", "  ", "#", "#top", "data:image/png;base64,AA", "javascript:alert(1)", "mailto:a@b",
        "file:///etc/passwd", "ftp://a/x.jpg", "https:", "https://", "https:///x.jpg", "//",
    ])
    func otherSchemesAreRejected(text: String) {
        #expect(WebURL(text, relativeTo: "https://base") == nil)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080//", "http://127.0.0.1:8080"),
        ("science.nasa.gov/apod-basic/", "https://science.nasa.gov/apod-basic"),
        (" https://a/b/?lang=en ", "https://a/b?lang=en"),
    ])
    func aTypedURLMayLackTheScheme(text: String, expected: String) {
        #expect(WebURL(typed: text)?.description == expected)
    }

    @Test(arguments: [
        ("https://nasa.gov/x", true), ("https://apod.nasa.gov:443/x", true),
        ("https://notnasa.gov/x", false), ("https://nasa.gov.example.org/x", false),
        ("https://nasa.gov@example.org/x", false),
    ])
    func hostsOfNASAAreRecognized(text: String, isNASA: Bool) {
        #expect(WebURL(text, relativeTo: "")?.isNASA == isNASA)
    }

    @Test func fieldsAreAppendedToTheQuery() throws {
        let address = try #require(WebURL(typed: "https://a/b?lang=en"))

        #expect(
            "\(address.appending("261120").adding(["api_key": "k&=?"]))"
                == "https://a/b/261120?lang=en&api_key=k%26%3D%3F")
    }

    @Test func theFileNameIsDecoded() {
        let names = ["https://a/Harvest%20Moon.JPG?w=1", "https://b/x/Harvest Moon.jpg"].map {
            WebURL($0, relativeTo: "")?.fileName
        }

        #expect(names == ["harvest moon.jpg", "harvest moon.jpg"])
    }
}
