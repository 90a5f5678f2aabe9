/// The commands of a program, as an enumeration whose raw values are their names: `PROGRAM COMMAND [OPTION]... [OPERAND]...`.
///
/// ``ParsedArguments`` checks a command line against it, and ``HelpText`` describes it.
package protocol CommandProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    static var program: String { get }
    /// The purpose of the program in one sentence.
    static var purpose: String { get }
    /// The paragraph below the list of commands in the help.
    static var notes: String { get }
    /// The beginning of the names of the program's variables, such as `APOD_MIRROR_`.
    static var variablePrefix: String { get }

    static var help: Self { get }
    static var version: Self { get }

    /// The purpose of the command in one sentence.
    var summary: String { get }
    var options: [Option] { get }
    /// The options that `--help` shows if all of them would not fit a terminal; empty if it shows all.
    var commonOptions: [Option] { get }
    var operands: OperandSyntax { get }
    /// An additional table in the help of the command.
    var details: HelpTable? { get }
    var examples: [(command: String, effect: String)] { get }
    var exitCodes: [ExitCode] { get }
    /// What `code` says about the command, such as “no day was found”.
    func meaning(of code: ExitCode) -> String
}

/// A table in the help of a command: a title, and rows of a word and its meaning.
package struct HelpTable: Sendable {
    let title: String
    let rows: [(word: String, meaning: String)]

    package init(title: String, rows: [(word: String, meaning: String)]) {
        self.title = title
        self.rows = rows
    }
}

/// Which operands a command has, as the help shows them: `DIR`, `[COMMAND]`, `DAY...` or `[DAY...]`.
package struct OperandSyntax: Sendable {
    package let words: [String]
    /// How many operands a command line may have: one for `DIR`, any number for `[DAY...]`.
    package let count: ClosedRange<Int>

    /// `count` is only given if it is not the one that the words show.
    package init(_ words: String..., count: ClosedRange<Int>? = nil) {
        self.words = words
        self.count = count ?? Self.count(shownBy: words)
    }

    package static let none = OperandSyntax()

    private static func count(shownBy words: [String]) -> ClosedRange<Int> {
        let required = words.filter { !$0.hasPrefix("[") }
        let isUnlimited = words.contains { $0.hasSuffix("...") || $0.hasSuffix("...]") }
        return required.count...(isUnlimited ? Int.max : words.count)
    }
}

extension CommandProtocol {
    package var commonOptions: [Option] { [] }
    package var details: HelpTable? { nil }
    package func meaning(of code: ExitCode) -> String { code.meaning }

    /// The command that the first argument names; `nil` if it names none.
    package init?(word: String) {
        switch word {
        case "-h", "--help": self = .help
        case "--version": self = .version
        default: self.init(rawValue: word)
        }
    }

    static var allOptions: [Option] { allCases.flatMap(\.options) }

    /// The variable of an option: `APOD_MIRROR_MIN_FREE`; `nil` if it is no setting.
    package static func variable(of option: Option) -> String? {
        option.isSetting ? option.variableName(variablePrefix) : nil
    }

    /// The synopsis of the command with all options.
    var usage: String {
        ([Self.program, rawValue] + options.map(\.synopsis) + operands.words)
            .joined(separator: " ")
    }
}
