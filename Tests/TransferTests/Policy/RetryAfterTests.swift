import Testing

@testable import Transfer

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, which RFC 9110 formats in three ways.
    static let moment = 784_111_777.0

    @Test(arguments: [
        ("0", 0), ("120", 120), ("21600", 21600), ("21601", 21600),
        ("99999999999999999999999", 21600), ("Sun, 06 Nov 1994 08:49:37 GMT", 100),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 100), ("Sun Nov  6 08:49:37 1994", 100),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Sun, 06 Nov 2044 08:49:37 GMT", 21600),
    ])
    func secondsAndDatesAreParsed(text: String, seconds: Double) {
        #expect(HostPauses { Self.moment - 100 }.seconds(ofRetryAfter: text) == seconds)
    }

    @Test(arguments: [
        "", "-5", "soon", "1.5", "12 s", "0x10", "٣", "Sun", "+3", " 7",
        "Sun, 99 Foo 1994 08:49:37",
        "NaN", "inf",
    ])
    func otherValuesAreIgnored(text: String) {
        #expect(HostPauses { Self.moment }.seconds(ofRetryAfter: text) == nil)
    }
}
