import APOD
import CommandLine
import JSON
import Platform

/// `apod-mirror search WORD...`: lists the days whose title, explanation or credit contains all words.
struct SearchCommand {
    private struct Match: Sendable {
        let day: Day
        let title: String
        /// The path of the picture, else that of the video; `nil` without a file.
        let path: String?
        /// Whether the title alone contains all words.
        let isTitle: Bool
    }

    private let reader: Reader
    /// The words as the user typed them.
    private let typed: [String]
    private let isJSON: Bool
    private let printsPaths: Bool
    private let endsInNull: Bool
    private let opensPicture: Bool
    private let environment: [String: String]

    init(_ arguments: Arguments) throws {
        isJSON = try arguments.isOn(.json, without: .path)
        printsPaths = try arguments.isOn(.path, without: .json)
        reader = try Reader(arguments)
        typed = arguments.operands
        endsInNull = try arguments.isOn(.null)
        opensPicture = try arguments.isOn(.open)
        environment = arguments.environment
    }

    func run() async throws -> ExitCode {
        let found = try await matches()
        if isJSON {
            StandardStream.output.write(json: JSON.array(found.map(Self.json)).document)
        } else if printsPaths {
            printPaths(found.compactMap(path))
        } else {
            for match in found {
                StandardStream.output.write("\(match.day)  \(match.title.excerpt)\n")
            }
        }
        if found.isEmpty, !isJSON {
            let words = typed.map { "“\($0.excerpt)”" }.joined(separator: " and ")
            StandardStream.error.write(
                "no day contains \(words) in its title, explanation or credit\n")
        }
        if opensPicture, !found.isEmpty { try await open(found) }
        return .done
    }

    /// The absolute path of the file; `nil` if there is none.
    private func path(of match: Match) -> String? { reader.path(of: match.path, of: match.day) }

    private func printPaths(_ paths: [String]) {
        if endsInNull {
            StandardStream.output.write(raw: paths.map { $0 + "\0" }.joined())
        } else {
            StandardStream.output.write(paths.map { $0 + "\n" }.joined())
        }
    }

    /// Opens the first picture of `found`.
    private func open(_ found: [Match]) async throws {
        let pictures = found.lazy.compactMap { match in path(of: match).map { (match, $0) } }
        guard let (match, path) = pictures.first else {
            throw CommandError("the mirror has no picture of the days found")
        }
        if found.count > 1 {
            StandardStream.error.write("opening \(match.day), the first of \(found.count) days\n")
        }
        try await DesktopViewer.open(path, path: environment["PATH"])
    }

    /// Returns the matches in titles first, each group newest first; several tasks read the records.
    private func matches() async throws -> [Match] {
        let days = try reader.days()
        let words = typed.map { SearchText($0) }
        let parts = (0..<Self.tasks).map { part in
            days[(days.count * part / Self.tasks)..<(days.count * (part + 1) / Self.tasks)]
        }
        let found = try await withThrowingTaskGroup(of: (part: Int, [Match]).self) { group in
            for (number, part) in parts.enumerated() {
                group.addTask { [reader] in
                    var text = SearchText()
                    let matches = try part.compactMap { day in
                        try Self.match(on: day, of: words, in: reader, buffer: &text)
                    }
                    return (number, matches)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.part] = $1.1 }
        }
        let all = parts.indices.flatMap { found[$0] ?? [] }
        return all.filter(\.isTitle) + all.filter { !$0.isTitle }
    }

    /// How many tasks read records at the same time.
    private static let tasks = 4
    /// The members of a record that a search reads.
    private static let fields: Set = [
        "title", "explanation", "credit", "copyright", "picture", "video",
    ]

    /// - Returns: `nil` if the record of `day` does not contain all `words`, or cannot be parsed.
    private static func match(
        on day: Day, of words: [SearchText], in reader: Reader, buffer text: inout SearchText
    ) throws -> Match? {
        guard let bytes = try reader.bytes(of: day),
            let fields = try? RawJSON(bytes[...]).members(named: Self.fields)
        else { return nil }
        text.replace(with: fields["title"])
        let isTitle = words.allSatisfy(text.contains)
        if !isTitle {
            for field in ["explanation", "credit", "copyright"] { text.append(fields[field]) }
            guard words.allSatisfy(text.contains) else { return nil }
        }
        let file = ["picture", "video"].lazy.compactMap { name -> String? in
            let file = try? fields[name]?.members(named: ["path", "removed"])
            return file?["removed"] == nil ? file?["path"]?.string : nil
        }
        return Match(
            day: day, title: fields["title"]?.string ?? "", path: file.first, isTitle: isTitle)
    }

    private static func json(_ match: Match) -> JSON {
        [
            "date": .string("\(match.day)"), "title": .string(match.title),
            "picture": match.path.map(JSON.string) ?? .null,
        ]
    }
}
