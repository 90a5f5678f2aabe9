import Testing

@testable import Transfer

@Suite struct SecretFilterTests {
    let filter = SecretFilter("Hu5h%key/1")

    @Test(arguments: [
        ("a Hu5h%key/1 b", "a … b"), ("HU5H%KEY/1", "…"),
        ("?k=Hu5h%25key%2f1&b", "?k=…&b"), ("%48%75%35%68%25%6b%65%79%2F%31.", "…."),
        ("Hu5h%2525key%252F1", "…"), ("\\u0048u5h%key\\u002f1", "…"),
        ("Hu5h%key/1Hu5h%key/1", "……"), ("Hu5h%key/2", "Hu5h%key/2"),
        ("cut off: Hu5h%k", "cut off: …"), ("cut off: Hu5h%k…", "cut off: ……"),
        ("cut off: Hu5h%2", "cut off: …"), ("cut off: \\u0048u5h\\u00…", "cut off: ……"),
        ("Hu", "Hu"), ("100%", "100%"), ("\\", "\\"), ("", ""), ("Zoë %4", "Zoë %4"),
    ])
    func theKeyIsRedactedInAnyEncoding(text: String, result: String) throws {
        #expect(try #require(filter).redacted(text) == result)
    }

    @Test(arguments: [
        "50%25 a\"b/c\\d", "50%2525%20a%22b%2fc%5cd", "50%25 a\\\"b\\/c\\\\d",
        "50\\u002525 a\\u0022b/c\\u005cd",
    ])
    func aKeyOfMarksIsRedacted(spelling: String) throws {
        let filter = try #require(SecretFilter("50%25 a\"b/c\\d"))

        #expect(filter.redacted("key \(spelling)!") == "key …!")
    }

    @Test func aShortKeyDoesNotDamageAResponse() throws {
        let filter = try #require(SecretFilter("1"))

        #expect(filter.redacted(body: Array("[1]".utf8)) == Array("[1]".utf8))
        #expect(filter.redacted("1 is no key") == "… is no key")
        #expect(SecretFilter("") == nil && SecretFilter(nil) == nil)
    }
}
