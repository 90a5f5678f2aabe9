import JSON
import Testing

@Suite struct JSONTests {
    @Test func keysKeepTheirOrderAndNilMembersAreOmitted() {
        let json: JSON = ["b": 1, "a": nil, "c": ["d": [true, .null]]]

        #expect(json.line == #"{"b":1,"c":{"d":[true,null]}}"#)
    }

    @Test(arguments: [
        "plain", "quote \" and \\ back", "line\nfeed\ttab\r", "\u{0}\u{1f}\u{7f}", "天の川 👩‍🚀",
        "\u{2028}",
    ])
    func everyStringSurvivesARoundTrip(text: String) throws {
        let json: JSON = ["text": .string(text)]

        #expect(try JSON(parsing: json.document)["text"]?.string == text)
    }

    @Test func everyKindOfValueSurvivesARoundTrip() throws {
        let json: JSON = [
            "a": .null, "b": true, "c": -12, "d": .number(0.5), "e": "text", "f": [1, "2", []],
            "g": ["h": [:]],
        ]

        #expect(try JSON(parsing: json.document) == json)
    }

    @Test func parsedKeysKeepTheirOrder() throws {
        let text = #"{"z":1,"a":{"y":2,"b":3}}"#

        #expect(try JSON(parsing: Array(text.utf8)).line == text)
    }

    @Test(arguments: [
        (#"\u0041\u00e9\u5929"#, "Aé天"), (#"\ud83d\uDE80!"#, "🚀!"), (#"\/\"\\"#, #"/"\"#),
        (#"\b\f\n\r\t"#, "\u{8}\u{c}\n\r\t"), (#"e\u0301"#, "e\u{301}"), ("", ""),
    ])
    func escapeSequencesAreDecoded(text: String, meaning: String) throws {
        let json = try JSON(parsing: Array(" \"\(text)\" ".utf8))

        #expect(json.string?.unicodeScalars.elementsEqual(meaning.unicodeScalars) == true)
    }

    @Test(arguments: [
        ("0", JSON.integer(0)), ("-0", .integer(0)), ("12", .integer(12)), ("-7", .integer(-7)),
        ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(0x1p63)),
        ("1.5", .number(1.5)), ("-2e-3", .number(-0.002)), ("1E+2", .number(100)),
    ])
    func integersAreDistinguishedFromOtherNumbers(text: String, number: JSON) throws {
        #expect(try JSON(parsing: Array(text.utf8)) == number)
    }

    @Test(arguments: [
        "01", "-", "+1", "1.", ".5", "1e", "1e999", "tru", "nul", "[1 2]", "[1,]", #"{"a" 1}"#,
        #"{"a":1,}"#, "{a:1}", "\"a", "\"a\nb\"", #""\x""#, #""\u12"#, #""\u+123""#, #""\ud83d""#,
        #""\ud83d\u0041""#, #""\udc00""#, "1 2", "]",
    ])
    func almostValidJSONIsRejected(text: String) {
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: Array(text.utf8)) }
    }

    @Test func invalidUTF8IsRejected() {
        #expect(throws: JSON.Malformed.self) { try JSON(parsing: [0x22, 0xC3, 0x22]) }
    }

    @Test func aByteOrderMarkIsSkipped() throws {
        #expect(try JSON(parsing: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
    }

    @Test(arguments: ["", "{", "[1,", "<html>", "{\"a\":}", String(repeating: "[", count: 100_000)])
    func otherTextIsRejected(text: String) {
        #expect(throws: (any Error).self) { try JSON(parsing: Array(text.utf8)) }
    }
}
