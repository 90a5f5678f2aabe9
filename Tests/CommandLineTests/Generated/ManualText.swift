import CommandLine
import Service

@testable import apod_mirror

/// The parts of the manual page that list options and variables; see mdoc(7).
enum ManualText {
    /// The options of each command, in sections of their own.
    static var options: String {
        let root = [Settings.directory.option]
        let all =
            [section("All commands but help and version", root.map(item))]
            + Command.allCases.flatMap { command in
                let options = command.options.filter { $0 != root[0] }
                return command == .run ? sections(ofRun: options) : [section(command, options)]
            }
        return all.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The variables of all settings.
    static var variables: String {
        ".It Ev \(Settings.all.map(\.option.variable).joined(separator: " , "))"
    }

    private static func sections(ofRun options: [Option]) -> [String] {
        [
            section("run", options.filter { $0.scope != .advancedSetting }.map(item)),
            section("run, advanced", options.filter { $0.scope == .advancedSetting }.map(item)),
        ]
    }

    /// The settings of `run` have no text of their own in the section of another command.
    private static func section(_ command: Command, _ options: [Option]) -> String {
        let shared = options.filter { option in
            Settings.all.contains { $0.option.summary == option.summary }
        }
        let own = options.filter { !shared.contains($0) }.map(item)
        let reference = shared.isEmpty ? [] : ["As for\n.Cm run ."]
        return section(command.rawValue, own + shared.map(heading) + reference)
    }

    private static func section(_ title: String, _ items: [String]) -> String {
        guard !items.isEmpty else { return "" }
        return ([".Ss \(title)", ".Bl -tag -width indent"] + items + [".El"])
            .joined(separator: "\n")
    }

    private static func heading(_ option: Option) -> String {
        let short = option.shortSpelling.map { "Fl \($0.dropFirst()) , " } ?? ""
        return ".It \(short)Fl Fl \(option.name)"
            + (option.value.map { " Ar \($0.placeholder)" } ?? "")
    }

    private static func item(_ option: Option) -> String {
        let text = option.manual ?? sentence(option.summary)
        let isInText = text.contains("efault is")
        let value = isInText ? nil : option.value?.defaultText.map { "The default is \($0)." }
        return ([heading(option), mdoc(text)] + [value].compactMap(\.self))
            .joined(separator: "\n")
    }

    /// `print JSON` as a sentence.
    private static func sentence(_ summary: String) -> String {
        "\(summary.prefix(1).uppercased())\(summary.dropFirst())."
    }

    /// Markdown as mdoc: a line for each sentence, and one for each piece of code.
    private static func mdoc(_ markdown: String) -> String {
        var lines: [String] = []
        for (index, part) in markdown.split(separator: "`", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard index.isMultiple(of: 2) else {
                lines.append(part.hasPrefix("--") ? ".Fl Fl \(part.dropFirst(2))" : ".Ql \(part)")
                continue
            }
            // Punctuation after code is an argument of its macro.
            let closing = lines.isEmpty ? "" : part.prefix { ".,;:)".contains($0) }
            if !closing.isEmpty { lines[lines.count - 1] += " \(closing)" }
            lines += part.dropFirst(closing.count).replacing(". ", with: ".\n")
                .split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
                .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }
                .filter { !$0.isEmpty }
        }
        return lines.joined(separator: "\n")
    }
}
