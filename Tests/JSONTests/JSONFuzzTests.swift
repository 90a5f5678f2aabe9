import FoundationEssentials
import JSON
import Platform
import TestSupport
import Testing

/// `JSON` and Foundation's decoder agree on which mutated documents are valid and on their values.
@Suite struct JSONFuzzTests {
    /// `APOD_MIRROR_INPUTS` sets the number of documents, `APOD_MIRROR_SEED` the random seed.
    @Test(.timeLimit(.minutes(600))) func bothReadersAgree() throws {
        let variables = processEnvironment()
        let inputs = variables["APOD_MIRROR_INPUTS"].flatMap { Int($0) } ?? 5000
        let seed = variables["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...99_999)
        var mutator = Mutator(seed: seed, tokens: Self.tokens)
        var accepted = 0
        for number in 1...inputs {
            let bytes = mutator.mutated(Self.documents)
            let ours = (try? JSON(parsing: bytes)).map(Plain.init)
            let theirs = try? JSONDecoder().decode(Plain.self, from: Data(bytes))
            try #require(
                ours == theirs || (ours == nil && Self.isForFoundationOnly(bytes)),
                "APOD_MIRROR_SEED=\(seed), input \(number): \(String(decoding: bytes, as: UTF8.self))"
            )
            if ours != nil { accepted += 1 }
        }
        print("seed \(seed): \(inputs) inputs, \(accepted) of them JSON, no disagreement")
        #expect(accepted > inputs / 20 && accepted < inputs * 19 / 20)
    }

    /// Foundation also accepts UTF-16 and UTF-32, which contain zeros, and a comma before the end of an
    /// array or object, and does not check the second of two members of one name completely.
    private static func isForFoundationOnly(_ bytes: [UInt8]) -> Bool {
        bytes.contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            || String(decoding: bytes, as: UTF8.self)
                .contains(#/(?s),\s*[\]}]|"([^"]*)"\s*:.*"\1"\s*:/#)
    }

    private static let tokens =
        [
            "\"", "\\", "\\u", "\\u00e9", "\\ud83d", "\\ude80", "\\n", "\\x", "{", "}", "[", "]",
            ",", ":",
            "null", "true", "false", "-", "0", "1e5", "1e999", ".5", "-0", "9223372036854775808",
            "18446744073709551616", "1E-400", "é", "e\u{301}", "👩‍🚀", "\u{2028}", " ", "\n", "\t",
            "\u{b}",
            "\u{feff}", "//", "'", "[[[[[[[[", "]]]]]]]]", "\"a\":", "\"date\":",
        ].map { Array($0.utf8) } + [
            [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xEF, 0xBB, 0xBF],
        ]

    /// A record of a day, one of a favorite, settings, and each kind of value.
    private static let documents = [
        """
        {
          "date" : "2026-11-20",
          "title" : "Comète d’été \\"C\\/2026\\" \\ud83d\\ude80",
          "explanation" : "A tail\\nof dust.",
          "picture" : {"path" : "pictures/2026/2026-11/x.jpg", "bytes" : 1234567, "sha256" : "ab"},
          "tags" : [true, false, null, -1.5e-3, [], {}]
        }
        """,
        #"{"date":"2026-11-20","added":"2026-11-20T05:00:00Z","names":["a","b/c"],"via":"link","held":true}"#,
        #"{"device":"64769","inode":"131","unknown":[[1,2],[3.25,4e2]],"date":1,"date":2}"#,
        "12", "-0.5", "\"text\"", "null", "[1,[2,[3,[4]]]]", "\u{feff}{}",
    ].map { Array($0.utf8) }
}

/// A value that both decoders can represent: the first of several members of one name counts.
private enum Plain: Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string([UInt8])
    case array([Plain])
    case object([String: Plain])

    init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .integer(let integer): .number(Double(integer))
            case .number(let number): .number(number)
            case .string(let string): .string(Array(string.utf8))
            case .array(let elements): .array(elements.map(Plain.init))
            case .object(let members):
                .object(
                    Dictionary(members.map { ($0.key, Plain($0.value)) }) { first, _ in first })
            }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .object(
                try Dictionary(
                    uniqueKeysWithValues: container.allKeys.map {
                        ($0.stringValue, try container.decode(Plain.self, forKey: $0))
                    }))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Plain] = []
            while !container.isAtEnd { elements.append(try container.decode(Plain.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Plain {
        if container.decodeNil() { return .null }
        if let bool = try? container.decode(Bool.self) { return .bool(bool) }
        if let number = try? container.decode(Double.self) { return .number(number) }
        // Foundation decodes a number that is too small for a Double as an integer only.
        if let zero = try? container.decode(Int.self) { return .number(Double(zero)) }
        return .string(Array(try container.decode(String.self).utf8))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
