import APOD
import Mirror
import Platform

/// The search of ``SearchCommand``: days with all words in their titles come first, and newer days before older ones.
///
/// There is no index: a task for each month reads the records.
struct RecordSearch: Sendable {
    struct Match: Sendable {
        let day: Day
        let title: String
        /// The path of the picture or else the video, relative to the mirror; `nil` if neither is there, and if no paths are
        /// wanted.
        let path: String?
        /// Whether the title has all words.
        let isInTitle: Bool

        fileprivate func precedes(_ other: Match) -> Bool {
            isInTitle == other.isInTitle ? day > other.day : isInTitle
        }
    }

    struct Findings: Sendable {
        fileprivate(set) var matches: [Match] = []
        /// The texts that were searched, for suggestions; empty if there is a match, because nothing is suggested then.
        fileprivate(set) var texts: [SearchText] = []

        /// Adds the findings of another month, and drops all texts once there is a match.
        fileprivate mutating func merge(_ other: Self) {
            matches += other.matches
            texts += other.texts
            if !matches.isEmpty { texts = [] }
        }
    }

    let store: Store
    /// A match has all of them; without terms, no day matches.
    let terms: [SearchTerm]
    /// Whether each match gets its ``Match/path``.
    let findsPaths: Bool

    /// The bytes of the texts of a day; few days have more.
    private static let typicalSize = 1500

    /// Searches all months at the same time, and sorts the matches.
    func run() async throws -> Findings {
        let months = Dictionary(grouping: try store.daysReportingErrors(), by: Month.init(of:))
        guard !terms.isEmpty else { return Findings() }
        var findings = try await withThrowingTaskGroup(of: Findings.self) { group in
            let hasMatch = SharedValue(false)
            for days in months.values {
                group.addTask {
                    // Once a day matches, texts would only cost memory.
                    let keepsTexts = hasMatch.withLock { !$0 }
                    let findings = try searchMonth(of: days, keepsTexts: keepsTexts)
                    if !findings.matches.isEmpty { hasMatch.withLock { $0 = true } }
                    return findings
                }
            }
            return try await group.reduce(into: Findings()) { $0.merge($1) }
        }
        findings.matches.sort { $0.precedes($1) }
        return findings
    }

    /// Searches the records of `days`, at least one, which are all of one month.
    private func searchMonth(of days: [Day], keepsTexts: Bool) throws -> Findings {
        let path = Layout.folder(Layout.metadata, of: days[0])
        guard let folder = try store.tree.root.folder(path) else { return Findings() }
        // One buffer for all records of the month saves allocations.
        var text = SearchText(reserving: keepsTexts ? days.count * Self.typicalSize : 0)
        let matches = try days.compactMap { day in
            if !keepsTexts { text.removeAll() }
            return try SearchedRecord(of: day, in: folder)
                .flatMap { match($0, appendingTo: &text) }
        }
        return Findings(matches: matches, texts: matches.isEmpty && keepsTexts ? [text] : [])
    }

    /// Searches a record, and appends what it reads to `text`; `nil` if not all ``terms`` are in it.
    private func match(_ record: SearchedRecord, appendingTo text: inout SearchText) -> Match? {
        record.appendTitle(to: &text)
        let isInTitle = terms.allSatisfy(text.contains)
        if !isInTitle {
            record.appendOtherTexts(to: &text)
            guard terms.allSatisfy(text.contains) else { return nil }
        }
        return Match(
            day: record.day, title: record.title,
            path: findsPaths ? record.mediaPath(in: store.tree) : nil, isInTitle: isInTitle)
    }
}
