import Testing

@testable import Transfer

@Suite struct WebURLTests {
    @Test(arguments: [
        ("HTTP://Science.NASA.gov.:80/a/../b?c#d", "http://science.nasa.gov/b?c"),
        ("http://0x7f.1:8080", "http://127.0.0.1:8080/"),
        ("http://%31%32%37.1/", "http://127.0.0.1/"),
        ("https://nasa.gov/crab lg.jpg?a b", "https://nasa.gov/crab%20lg.jpg?a%20b"),
        ("https://nasa.gov/é\"<>%41.jpg", "https://nasa.gov/%C3%A9%22%3C%3E%41.jpg"),
        ("https://nasa.gov?", "https://nasa.gov/"),
    ])
    func aURLIsNormalized(text: String, spelling: String) throws {
        #expect(try WebURL(text).text == spelling)
    }

    @Test(arguments: [
        ("/c", "https://nasa.gov/c"), ("c?d=1", "https://nasa.gov/a/c?d=1"),
        ("../c", "https://nasa.gov/c"), ("?d", "https://nasa.gov/a/b?d"),
        ("//evil.org/c", "https://evil.org/c"), ("http://evil.org/", "http://evil.org/"),
        ("file:///etc/passwd", "file:///etc/passwd"),
    ])
    func aURLIsResolvedRelativeToAnother(location: String, spelling: String) throws {
        #expect(
            try WebURL(location, relativeTo: "https://nasa.gov/a/b?x#y").text == spelling)
    }

    @Test(arguments: [
        ("https://a.gov/b/c?d", "https://a.gov"), ("https://a.gov", "https://a.gov"),
        ("http://u@[::1]:8080/a", "http://u@[::1]:8080"), ("http://a.gov:80/b", "http://a.gov"),
    ])
    func aURLWithAnotherPathHasTheSameOrigin(text: String, origin: String) throws {
        let url = try WebURL(text)

        #expect(url.origin == origin)
        #expect(url.at("/x", query: "y") == (try WebURL("\(origin)/x?y")))
        #expect(url.at(url.path, query: url.query) == url)
    }

    @Test(arguments: [
        ("https://nasa.gov/x", true), ("https://apod.nasa.gov:443/x", true),
        ("https://notnasa.gov/x", false), ("https://nasa.gov.example.org/x", false),
        ("https://nasa.gov@example.org/x", false),
    ])
    func hostsOfNASAAreRecognized(text: String, isNASA: Bool) throws {
        #expect(try WebURL(text).isNASA == isNASA)
    }

    @Test(arguments: [
        ("https://a.gov/x?api_key=DEMO&date=1", "https://a.gov/x"),
        ("https://u:p@a.gov/img@2x.jpg", "https://a.gov/img@2x.jpg"),
        ("https://u:p@q@a.gov", "https://a.gov"), ("u:p@a.gov/x", "a.gov/x"),
        ("http://u:p?w#x@a.gov/x", "http://a.gov/x"), ("https://a.gov/x#key", "https://a.gov/x"),
        ("https://a.gov/x", "https://a.gov/x"), ("", ""),
    ])
    func aPrintedURLContainsNoSecrets(text: String, shown: String) {
        #expect(text.redactedAddress == shown)
    }
}
