/// The commands of a program, as an enumeration whose raw values are their names: `PROGRAM COMMAND [OPTION]... [OPERAND]...`.
///
/// ``ParsedArguments`` checks a command line against it, and ``HelpText`` describes it.
package protocol CommandProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    static var program: String { get }
    /// The purpose of the program in one sentence.
    static var purpose: String { get }
    /// The paragraph below the list of commands in the help.
    static var notes: String { get }
    /// What the names of the program's variables begin with, such as `APOD_MIRROR_`.
    static var variablePrefix: String { get }

    static var help: Self { get }
    static var version: Self { get }

    /// The purpose of the command in one sentence.
    var summary: String { get }
    var options: [Option] { get }
    /// The options that `--help` shows if all of them would not fit a terminal; empty if it shows all.
    var commonOptions: [Option] { get }
    var operands: OperandSyntax { get }
    /// An additional section of the help.
    var details: (title: String, rows: [(String, String)])? { get }
    var examples: [(command: String, effect: String)] { get }
    var exitCodes: [ExitCode] { get }
    func meaning(of code: ExitCode) -> String
}

/// Which operands a command has.
package struct OperandSyntax: Sendable {
    /// The operands in the help, such as `DIR` or `[DAY...]`.
    package let words: [String]
    package let count: ClosedRange<Int>

    package init(_ words: String..., count: ClosedRange<Int>) {
        (self.words, self.count) = (words, count)
    }

    package static let none = OperandSyntax(count: 0...0)
}

extension CommandProtocol {
    package var commonOptions: [Option] { [] }
    package var details: (title: String, rows: [(String, String)])? { nil }
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
