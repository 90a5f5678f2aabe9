import APOD
import CommandLine
import JSON
import Mirror
import Platform

/// `apod-mirror search WORD...`: lists the days whose title, explanation or credit contains all words.
///
/// ``RecordSearch`` reads the records. If no day matches, the texts that were read show which similar words there are, as in
/// `no day contains “nebla” …; did you mean “nebula”?`.
struct SearchCommand {
    private enum Form {
        /// A line for each day: the date and the title.
        case titles
        case json
        /// A line for each picture.
        case paths
        /// Paths, each with a null byte at its end, as `xargs -0` reads them.
        case pathsForXargs
    }

    private let store: Store
    /// At least one, as the user typed them.
    private let words: [String]
    private let form: Form

    init(_ arguments: Arguments) throws {
        let paths = try arguments.isOn(.null) ? Form.pathsForXargs : .paths
        form = try arguments.choice([.json: .json, .path: paths], else: .titles)
        store = try Store.openForReading(arguments)
        words = arguments.operands
    }

    func run() async throws -> ExitCode {
        let search = RecordSearch(
            store: store, terms: SearchTerm.all(words), findsPaths: form != .titles)
        let findings = try await search.run()
        write(findings.matches)
        guard findings.matches.isEmpty else { return .done }
        if form != .json { writeThatNoDayMatches(suggestingFrom: findings.texts) }
        return .failure
    }

    private func write(_ matches: [RecordSearch.Match]) {
        let output = StandardStream.output
        let paths = matches.compactMap(\.path).map { "\(store.tree.root.path)/\($0)" }
        switch form {
        case .titles: output.write(matches.map { "\($0.day)  \($0.title.excerpt)\n" }.joined())
        case .json: output.write(json: JSON.array(matches.map(Self.json)).document)
        case .paths: output.write(paths.map { $0 + "\n" }.joined())
        case .pathsForXargs: output.write(raw: paths.map { $0 + "\0" }.joined())
        }
    }

    private static func json(_ match: RecordSearch.Match) -> JSON {
        [
            "date": .string("\(match.day)"), "title": .string(match.title),
            "picture": match.path.map(JSON.string) ?? .null,
        ]
    }

    private func writeThatNoDayMatches(suggestingFrom texts: [SearchText]) {
        let quoted = words.map { "“\($0.excerpt)”" }.joined(separator: " and ")
        let corrections = words.compactMap { word in
            NearestWord.correction(of: word, in: texts).map { "“\($0.excerpt)”" }
        }
        let question =
            corrections.isEmpty ? "" : "; did you mean \(corrections.joined(separator: " and "))?"
        StandardStream.error.write(
            "no day contains \(quoted) in its title, explanation or credit\(question)\n")
    }
}
