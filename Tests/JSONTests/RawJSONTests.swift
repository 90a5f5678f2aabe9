import JSON
import Testing

@Suite struct RawJSONTests {
    private func raw(_ text: String) -> RawJSON { RawJSON(Array(text.utf8)[...]) }

    private func text(_ json: RawJSON) -> String { String(decoding: json.bytes, as: UTF8.self) }

    @Test func aListIsSplitUpToTheLimit() throws {
        let list = raw("\u{FEFF} [1, {\"a\":[2,\"]\"]} ,\"x\\\"\"] ")

        #expect(
            try list.elements(limit: 3)?.elements.map(text) == ["1", #"{"a":[2,"]"]}"#, #""x\"""#])
        #expect(try list.elements(limit: 3)?.isCut == false)
        #expect(try list.elements(limit: 2)?.elements.count == 2)
        #expect(try list.elements(limit: 2)?.isCut == true)
        #expect(try list.members(named: ["a"]) == nil)
    }

    @Test func onlyTheRequestedMembersAreReturned() throws {
        let object = raw(#"{"a":1,"b":[[{}]],"c":"x","a":2}"#)

        #expect(
            try object.members(named: ["a", "c", "d"])?.mapValues(text) == ["a": "2", "c": #""x""#])
        #expect(try object.elements(limit: 1) == nil)
        #expect(try raw("{}").members(named: ["a"])?.isEmpty == true)
    }

    @Test(arguments: ["[1 2]", "[1,]", #"{"a" 1}"#, "{a:1}", "[1", #"["x"#, "[1] 2", #"{"a":1}}"#])
    func malformedStructureIsRejected(text: String) {
        #expect(throws: JSON.Malformed.self) {
            _ = try raw(text).elements(limit: 9)
            _ = try raw(text).members(named: [])
        }
    }

    @Test func aStringIsDecoded() {
        #expect(raw(#""a\u00e9\n\ud83d\ude80""#).string == "aé\n🚀")
        #expect(RawJSON([0x22, 0xFF, 0x22]).string == "\u{FFFD}")
        #expect(RawJSON([0x22, 0xFF, 0x5C, 0x6E, 0x22]).string == "\u{FFFD}\n")
        #expect(raw("\"two\nlines\"").string == "two\nlines")
        #expect(raw(#""\ud800\x""#).string == "\u{FFFD}\u{FFFD}")
        #expect(raw(#""\u\udc00""#).string == "\u{FFFD}\u{FFFD}")
        #expect(raw("\"a\nb\\u0021\"").string == "a\nb!")
        #expect(raw("17").string == nil)
        #expect(raw("\"abc").string == nil)
        #expect(raw("\"").string == nil)
        #expect(raw("\"a\"b\"").string == nil)
    }
}
