import Testing

@testable import Transfer

@Suite struct AddressTests {
    @Test(arguments: [
        ("HTTP://Science.NASA.gov.:80/a/../b?c#d", "http://science.nasa.gov/b?c"),
        ("http://0x7f.1:8080", "http://127.0.0.1:8080/"),
        ("http://%31%32%37.1/", "http://127.0.0.1/"),
        ("https://nasa.gov/crab lg.jpg", "https://nasa.gov/crab%20lg.jpg"),
    ])
    func aURLIsNormalized(address: String, spelling: String) throws {
        #expect(try Address(address).text == spelling)
    }

    @Test(arguments: [
        ("/c", "https://nasa.gov/c"), ("c?d=1", "https://nasa.gov/a/c?d=1"),
        ("../c", "https://nasa.gov/c"), ("?d", "https://nasa.gov/a/b?d"),
        ("//evil.org/c", "https://evil.org/c"), ("http://evil.org/", "http://evil.org/"),
        ("file:///etc/passwd", "file:///etc/passwd"),
    ])
    func aURLIsResolvedRelativeToAnother(location: String, spelling: String) throws {
        let base = try Address("https://nasa.gov/a/b?x#y")

        #expect(try Address(location, relativeTo: base).text == spelling)
    }

    @Test(arguments: [
        ("https://a.gov/x?api_key=DEMO&date=1", "https://a.gov/x?api_key=...&date=1"),
        ("https://a.gov/x?date=1&API_KEY=a=b", "https://a.gov/x?date=1&API_KEY=..."),
        ("https://u:p@a.gov/img@2x.jpg", "https://a.gov/img@2x.jpg"),
        ("https://u:p@q@a.gov", "https://a.gov"), ("u:p@a.gov/x", "a.gov/x"),
        ("https://a.gov/x?token=a&sort_key", "https://a.gov/x?token=...&sort_key"),
        ("https://a.gov/x", "https://a.gov/x"), ("", ""),
    ])
    func aPrintedURLContainsNoSecrets(address: String, shown: String) {
        #expect(address.redacted == shown)
    }
}
