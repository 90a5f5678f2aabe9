import APOD
import CommandLine
import Glibc
import JSON
import Mirror
import Platform
@_spi(_Unicode) import Swift

/// `apod-mirror search WORD...`: the days whose title, explanation or credit has all the words.
struct SearchCommand {
    private let reader: Reader
    private let typed: [String]
    private let words: [String]
    /// The same as they stand in a record's file.
    private let written: [String]
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        reader = try Reader(arguments)
        typed = arguments.operands
        words = typed.map(Self.folded)
        written = words.map { String(JSON.string($0).line.dropFirst().dropLast()) }
        isJSON = try arguments.isOn(.json)
    }

    func run() throws -> ExitCode {
        let found = try ranked(reader.days().compactMap(match))
        if isJSON {
            let list = JSON.array(found.map(Self.json))
            Output.standard.write(json: list.document)
        } else {
            for record in found {
                Output.standard.write(
                    "\(record.entry.day)  \(record.entry.title.excerpt)\n")
            }
            if found.isEmpty {
                let what = typed.map { "“\($0.excerpt)”" }.joined(separator: " and ")
                Output.error.write("no day has \(what) in its title, text or credit\n")
            }
        }
        return .done
    }

    /// Those whose title has all the words first, each part newest first.
    private func ranked(_ found: [DayRecord]) -> [DayRecord] {
        let isFirst = found.map { record in
            let title = Self.folded(record.entry.title)
            return words.allSatisfy { title.holds($0) }
        }
        let pairs = zip(found, isFirst)
        return pairs.filter(\.1).map(\.0) + pairs.filter { !$0.1 }.map(\.0)
    }

    private func match(_ day: Day) throws -> DayRecord? {
        // The whole file first: most days are out without being understood.
        guard let text = try reader.text(of: day), mayHold(text),
            let record = try reader.record(of: day)
        else { return nil }
        let entry = record.entry
        let fields = [entry.title, entry.explanation, entry.credit, entry.copyright]
        let words = Self.folded(fields.compactMap(\.self).joined(separator: "\n"))
        return self.words.allSatisfy { words.holds($0) } ? record : nil
    }

    private func mayHold(_ text: String) -> Bool {
        // Somebody else's rewrite may escape what ours never does.
        if text.holds("\\u") || text.holds("\\/") { return true }
        let text = Self.folded(text)
        return written.allSatisfy { text.holds($0) }
    }

    /// Without case and without accents: “Ångström” is found by “angstrom”.
    private static func folded(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.lowercased() }
        var scalars = String.UnicodeScalarView()
        for scalar in text.lowercased()._nfd
        where scalar.properties.generalCategory != .nonspacingMark {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func json(_ record: DayRecord) -> JSON {
        [
            "date": .string("\(record.entry.day)"), "title": .string(record.entry.title),
            "picture": (record.picture?.path ?? record.video?.path).map(JSON.string) ?? .null,
        ]
    }
}

extension String {
    /// Whether `word` stands in it, byte for byte: many times as fast as by characters.
    fileprivate func holds(_ word: String) -> Bool {
        unsafe strstr(self, word) != nil
    }
}
