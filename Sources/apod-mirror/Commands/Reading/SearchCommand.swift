import APOD
import CommandLine
import JSON
import Mirror
import Platform

/// `apod-mirror search WORD...`: lists the days whose title, explanation or credit contains all words.
///
/// The records are the only index: each month is read by a task. If nothing is found, the texts that were read tell which
/// similar words there are.
struct SearchCommand {
    private enum Form {
        /// A line for each day: the date and the title.
        case titles
        case json
        /// A line for each picture.
        case paths
        /// Paths as xargs(1) reads them with `-0`, each with a null byte at its end.
        case pathsForXargs
    }

    private struct Match: Sendable {
        let day: Day
        let title: String
        /// The path of the picture in the mirror, else that of the video; `nil` without a file.
        let path: String?
        let titleHasAllWords: Bool
    }

    private let store: Store
    /// The words as the user typed them, at least one.
    private let words: [String]
    private let form: Form

    init(_ arguments: Arguments) throws {
        let paths = try arguments.isOn(.null) ? Form.pathsForXargs : .paths
        form = try arguments.choice([.json: .json, .path: paths], else: .titles)
        store = try Store(arguments)
        words = arguments.operands
    }

    func run() async throws -> ExitCode {
        let result = try await search()
        write(result.matches)
        guard result.matches.isEmpty else { return .done }
        if form != .json { writeAbsence(suggestingFrom: result.texts) }
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

    private func writeAbsence(suggestingFrom texts: [SearchText]) {
        let quoted = words.map { "“\($0.excerpt)”" }.joined(separator: " and ")
        let corrections = words.compactMap { word in
            NearestWord.correction(of: word, in: texts).map { "“\($0.excerpt)”" }
        }
        let question =
            corrections.isEmpty ? "" : "; did you mean \(corrections.joined(separator: " and "))?"
        StandardStream.error.write(
            "no day contains \(quoted) in its title, explanation or credit\(question)\n")
    }

    // MARK: The search

    /// What was found in some months.
    private struct Result: Sendable {
        var matches: [Match] = []
        /// The texts of months that were searched while there was no match.
        var texts: [SearchText] = []

        static func += (result: inout Self, other: Self) {
            result.matches += other.matches
            result.texts += other.texts
            if !result.matches.isEmpty { result.texts = [] }
        }
    }

    /// The matches, those in titles first, else newest first; each month is searched by a task.
    private func search() async throws -> Result {
        let months = Dictionary(grouping: try store.days(), by: Month.init(of:))
        let terms = SearchTerm.all(words)
        guard !terms.isEmpty else { return Result() }
        var result = try await withThrowingTaskGroup(of: Result.self) { group in
            let hasMatch = SharedValue(false)
            for days in months.values {
                group.addTask {
                    // Texts that are not wanted any more would only cost memory.
                    let keepsTexts = hasMatch.withLock { !$0 }
                    let result = try search(inMonthOf: days, for: terms, keepsTexts)
                    if !result.matches.isEmpty { hasMatch.withLock { $0 = true } }
                    return result
                }
            }
            return try await group.reduce(into: Result()) { $0 += $1 }
        }
        result.matches.sort {
            $0.titleHasAllWords == $1.titleHasAllWords ? $0.day > $1.day : $0.titleHasAllWords
        }
        return result
    }

    /// Few days have a longer text, in bytes.
    private static let typicalSize = 1500

    /// Searches the records of `days`, at least one, in the directory of their month; `keepsTexts` adds what was read to the
    /// result.
    private func search(
        inMonthOf days: [Day], for terms: [SearchTerm], _ keepsTexts: Bool
    ) throws -> Result {
        let path = Layout.folder(Layout.metadata, of: days[0])
        guard let folder = try store.tree.root.folder(path) else { return Result() }
        // The memory is reserved once, and used for all records.
        var text = SearchText(reserving: keepsTexts ? days.count * Self.typicalSize : 0)
        let matches = try days.compactMap { day in
            if !keepsTexts { text.removeAll() }
            return try match(on: day, of: terms, in: folder, appendingTo: &text)
        }
        return Result(matches: matches, texts: matches.isEmpty && keepsTexts ? [text] : [])
    }

    /// Searches the record of `day`; one that cannot be read or parsed is named, and left out.
    ///
    /// - Returns: `nil` if the record does not contain all `terms`.
    private func match(
        on day: Day, of terms: [SearchTerm], in folder: Directory,
        appendingTo text: inout SearchText
    ) throws -> Match? {
        guard let fields = try Self.readableFields(of: day, in: folder) else { return nil }
        text.begin(with: fields["title"])
        let titleHasAllWords = terms.allSatisfy(text.contains)
        if !titleHasAllWords {
            for field in ["explanation", "credit", "copyright"] { text.append(fields[field]) }
            guard terms.allSatisfy(text.contains) else { return nil }
        }
        let paths = ["picture", "video"].lazy.compactMap { name -> String? in
            // The files of a day that --keep removed are not there any more.
            let file = try? fields[name]?.members(named: ["path", "removed"])
            return file?["removed"] == nil ? file?["path"]?.string : nil
        }
        return Match(
            day: day, title: fields["title"]?.string ?? "",
            path: paths.first.flatMap { Layout.isPath($0, inPicturesOf: day) ? $0 : nil },
            titleHasAllWords: titleHasAllWords)
    }

    /// The members of a record that a search reads.
    private static let fields: Set = [
        "title", "explanation", "credit", "copyright", "picture", "video",
    ]

    /// The ``fields`` of the record of `day`; `nil` if there is no record, or if it is left out.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are used up.
    private static func readableFields(
        of day: Day, in folder: Directory
    ) throws -> [String: RawJSON]? {
        let reason: String
        do throws(SystemError) {
            guard let bytes = try folder.read(Layout.record(of: day)) else { return nil }
            if let members = try? RawJSON(bytes[...]).members(named: fields) { return members }
            reason = "its record is damaged, as “apod-mirror verify \(day)” shows"
        } catch {
            guard error.cause != .shortage else { throw error }
            reason = "\(error)"
        }
        StandardStream.error.write("apod-mirror: \(day) is left out: \(reason)\n")
        return nil
    }
}
