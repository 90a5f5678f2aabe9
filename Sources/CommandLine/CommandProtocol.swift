/// The commands of a program, as an enumeration whose raw values are their names: `PROGRAM COMMAND [OPTION]... [OPERAND]...`.
///
/// ``ParsedArguments`` checks the user's arguments against this description, and ``HelpText`` prints it.
package protocol CommandProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// The name of the program.
    static var program: String { get }
    /// The purpose of the program in one sentence.
    static var purpose: String { get }
    /// The paragraph below the list of commands in the help.
    static var notes: String { get }
    /// The beginning of the names of the program's variables, such as `APOD_MIRROR_`.
    static var variablePrefix: String { get }

    /// The command that prints the help.
    static var help: Self { get }
    /// The command that prints the version of the program.
    static var version: Self { get }

    /// The purpose of the command in one sentence.
    var summary: String { get }
    var options: [Option] { get }
    /// The options that `--help` shows, if not all of them fit a terminal; empty if it shows all.
    var commonOptions: [Option] { get }
    var operands: OperandSyntax { get }
    /// An additional table in the help of the command.
    var details: HelpTable? { get }
    var examples: [(command: String, effect: String)] { get }
    /// The exit codes with which the command may end.
    var exitCodes: [ExitCode] { get }
    /// What `code` means after this command, such as “no day was found”.
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

/// The operands of a command in the notation of the help: `DIR`, `[COMMAND]`, `DAY...` or `[DAY...]`.
package struct OperandSyntax: Sendable {
    package let words: [String]
    /// How many operands a command line may have: one for `DIR`, any number for `[DAY...]`.
    package let count: ClosedRange<Int>

    /// Creates a syntax; `count` is needed only if `words` do not show how many operands there may be.
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

    /// The environment variable of an option, such as `APOD_MIRROR_MIN_FREE`; `nil` if the option is no setting.
    package static func variable(of option: Option) -> String? {
        option.isSetting ? option.variableName(prefix: variablePrefix) : nil
    }

    /// The synopsis of the command with all options.
    var usage: String {
        ([Self.program, rawValue] + options.map(\.synopsis) + operands.words)
            .joined(separator: " ")
    }
}
