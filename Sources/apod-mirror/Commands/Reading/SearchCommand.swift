import APOD
import CommandLine
import JSON
import Mirror
import Platform

/// `apod-mirror search WORD...`: lists the days whose title, explanation or credit contains all words.
///
/// Days with all words in their titles come first, and newer days before older ones. There is no index: a task for each month
/// reads the records. If no day matches, the texts that were read show which similar words there are, as in `no day contains
/// “nebla” …; did you mean “nebula”?`.
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

    private struct Match: Sendable {
        let day: Day
        let title: String
        /// The path of the picture or else the video, relative to the mirror; `nil` if neither is there, and for
        /// ``Form/titles``, which has no paths.
        let path: String?
        /// Whether the title has all words.
        let isInTitle: Bool

        func precedes(_ other: Match) -> Bool {
            isInTitle == other.isInTitle ? day > other.day : isInTitle
        }
    }

    private struct Findings: Sendable {
        var matches: [Match] = []
        /// The texts that were searched, for suggestions; empty if there is a match, because nothing is suggested then.
        var texts: [SearchText] = []

        /// Adds the findings of another month, and drops all texts once there is a match.
        mutating func merge(_ other: Self) {
            matches += other.matches
            texts += other.texts
            if !matches.isEmpty { texts = [] }
        }
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
        let findings = try await search()
        write(findings.matches)
        guard findings.matches.isEmpty else { return .done }
        if form != .json { writeThatNoDayMatches(suggestingFrom: findings.texts) }
        return .failure
    }

    // MARK: Output

    private func write(_ matches: [Match]) {
        let output = StandardStream.output
        let paths = matches.compactMap(\.path).map { "\(store.tree.root.path)/\($0)" }
        switch form {
        case .titles: output.write(matches.map { "\($0.day)  \($0.title.excerpt)\n" }.joined())
        case .json: output.write(json: JSON.array(matches.map(Self.json)).document)
        case .paths: output.write(paths.map { $0 + "\n" }.joined())
        case .pathsForXargs: output.write(raw: paths.map { $0 + "\0" }.joined())
        }
    }

    private static func json(_ match: Match) -> JSON {
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

    // MARK: Search

    /// Searches all months at the same time, and sorts the matches.
    private func search() async throws -> Findings {
        let months = Dictionary(grouping: try store.daysReportingErrors(), by: Month.init(of:))
        let terms = SearchTerm.all(words)
        guard !terms.isEmpty else { return Findings() }
        var findings = try await withThrowingTaskGroup(of: Findings.self) { group in
            let hasMatch = SharedValue(false)
            for days in months.values {
                group.addTask {
                    // Once a day matches, texts would only cost memory.
                    let keepsTexts = hasMatch.withLock { !$0 }
                    let findings = try searchMonth(of: days, for: terms, keepsTexts: keepsTexts)
                    if !findings.matches.isEmpty { hasMatch.withLock { $0 = true } }
                    return findings
                }
            }
            return try await group.reduce(into: Findings()) { $0.merge($1) }
        }
        findings.matches.sort { $0.precedes($1) }
        return findings
    }

    /// The bytes of the texts of a day; few days have more.
    private static let typicalSize = 1500

    /// Searches the records of `days`, at least one, which are all of one month.
    private func searchMonth(
        of days: [Day], for terms: [SearchTerm], keepsTexts: Bool
    ) throws -> Findings {
        let path = Layout.folder(Layout.metadata, of: days[0])
        guard let folder = try store.tree.root.folder(path) else { return Findings() }
        // One buffer for all records of the month saves allocations.
        var text = SearchText(reserving: keepsTexts ? days.count * Self.typicalSize : 0)
        let matches = try days.compactMap { day in
            if !keepsTexts { text.removeAll() }
            return try SearchedRecord(of: day, in: folder)
                .flatMap { match($0, of: terms, appendingTo: &text) }
        }
        return Findings(matches: matches, texts: matches.isEmpty && keepsTexts ? [text] : [])
    }

    /// Searches a record, and appends what it reads to `text`; `nil` if not all `terms` are in it.
    private func match(
        _ record: SearchedRecord, of terms: [SearchTerm], appendingTo text: inout SearchText
    ) -> Match? {
        record.appendTitle(to: &text)
        let isInTitle = terms.allSatisfy(text.contains)
        if !isInTitle {
            record.appendOtherTexts(to: &text)
            guard terms.allSatisfy(text.contains) else { return nil }
        }
        return Match(
            day: record.day, title: record.title,
            path: form == .titles ? nil : record.mediaPath(in: store.tree), isInTitle: isInTitle)
    }
}
