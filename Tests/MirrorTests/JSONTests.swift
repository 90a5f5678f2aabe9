import Mirror
import Testing

@Suite struct JSONTests {
    @Test func keepsTheOrderOfKeysAndLeavesOutWhatIsNil() {
        let json: JSON = ["b": 1, "a": nil, "c": ["d": [true, .null]]]

        #expect(json.line == #"{"b":1,"c":{"d":[true,null]}}"#)
    }

    @Test(arguments: [
        "plain", "quote \" and \\ back", "line\nfeed\ttab\r", "\u{0}\u{1f}\u{7f}", "天の川 👩‍🚀",
        "\u{2028}",
    ])
    func readsWhatItWrites(text: String) throws {
        let json: JSON = ["text": .string(text)]

        #expect(try JSON(parsing: json.document)["text"]?.string == text)
    }

    @Test func survivesARoundTripOfEveryKind() throws {
        let json: JSON = [
            "a": .null, "b": true, "c": -12, "d": .number(0.5), "e": "text", "f": [1, "2", []],
            "g": ["h": [:]],
        ]

        #expect(try JSON(parsing: json.document) == json)
    }

    @Test(arguments: ["", "{", "[1,", "<html>", "{\"a\":}", String(repeating: "[", count: 100_000)])
    func refusesWhatIsNoJSON(text: String) {
        #expect(throws: (any Error).self) { try JSON(parsing: Array(text.utf8)) }
    }
}
