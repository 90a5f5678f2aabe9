import Platform
import TestSupport
import Testing

/// A document: the README, or a file below `docs/`.
struct Document {
    /// Relative to the top of the repository.
    let path: String
    let text: String

    init(_ path: String) throws {
        self.path = path
        let bytes = try #require(try Directory(opening: sourceTree).read(path))
        text = String(decoding: bytes, as: UTF8.self)
    }

    static func all() throws -> [Document] {
        let names = try #require(try Directory(opening: sourceTree).folder("docs")).textNames()
        return try ["README.md"].map(Document.init)
            + names.filter { $0.hasSuffix(".md") }.sorted().map { try Document("docs/\($0)") }
    }

    /// The first block of code that contains `part`.
    func block(with part: String) throws -> String {
        let blocks = text.matches(of: #/(?s)\n```[a-z]*\n(.*?)```/#).map { String($0.1) }
        return try #require(blocks.first { $0.contains(part) }, "\(path): \(part)")
    }

    /// The lines outside of code blocks.
    var prose: [Substring] {
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode && !line.hasPrefix("    ")
        }
    }

    /// The anchors of the headings, as on GitHub.
    var anchors: Set<String> {
        Set(
            prose.compactMap { line in
                guard let heading = line.wholeMatch(of: #/#+ (.+)/#) else { return nil }
                let kept = heading.1.lowercased().filter {
                    $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " "
                }
                return kept.replacing(" ", with: "-")
            })
    }

    /// The targets of all links and pictures.
    var links: [String] {
        prose.flatMap { line in
            line.matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
        }
    }
}
