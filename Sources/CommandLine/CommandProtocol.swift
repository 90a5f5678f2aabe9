/// A command of a program: the first word after the program's name.
///
/// Each program has an enumeration of its commands and one of its options; parsing and help are the same
/// for all of them.
package protocol CommandProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    associatedtype Option: OptionProtocol

    /// The name of the program.
    static var program: String { get }
    /// What the program is for, in one sentence.
    static var purpose: String { get }
    /// What the help says below the list of commands, in one paragraph.
    static var notes: String { get }

    static var help: Self { get }
    static var version: Self { get }

    /// The options that the command knows.
    var options: [Option] { get }
    /// How many arguments may follow besides options.
    var operands: ClosedRange<Int> { get }
    /// These arguments as the help writes them.
    var words: [String] { get }
    /// What the command does, in one sentence.
    var summary: String { get }
    /// What else its help lists, under a title of its own.
    var details: (title: String, rows: [(String, String)])? { get }
    /// Commands to try, and what each does.
    var examples: [(command: String, effect: String)] { get }
    /// What it may end with.
    var exitCodes: [ExitCode] { get }
    /// What an exit code means for this command.
    func meaning(of code: ExitCode) -> String
}

/// An option of a program, which is also a variable of the environment.
package protocol OptionProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    /// What all variables of the program begin with.
    static var variablePrefix: String { get }
    /// Variables of the program that are no options.
    static var otherVariables: [String] { get }

    /// The short form, such as `-q`; `nil` where there is none.
    var shortSpelling: String? { get }
    /// The value as the help writes it; `nil` for a switch, which takes none.
    var placeholder: String? { get }
    /// What holds where the option is not given; `nil` where that is nothing.
    var defaultValue: String? { get }
    /// What the option does, in half a sentence.
    var summary: String { get }
}

extension CommandProtocol {
    package init?(word: String) {
        switch word {
        case "-h", "--help": self = .help
        case "--version": self = .version
        default: self.init(rawValue: word)
        }
    }

    package var details: (title: String, rows: [(String, String)])? { nil }

    package func meaning(of code: ExitCode) -> String { code.meaning }

    /// How the command is used, all options named.
    package var usage: String {
        let options = options.map { option in
            "[\(option.spelling)\(option.placeholder.map { " \($0)" } ?? "")]"
        }
        return ([Self.program, rawValue] + options + words).joined(separator: " ")
    }
}

extension OptionProtocol {
    package static var otherVariables: [String] { [] }
    package var shortSpelling: String? { nil }

    /// `--min-free`.
    package var spelling: String { "--\(rawValue)" }

    /// All ways to write it, the short one first.
    package var spellings: [String] { [shortSpelling, spelling].compactMap(\.self) }

    /// `APOD_MIRROR_MIN_FREE`.
    package var variable: String {
        Self.variablePrefix + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    package init?(spelling: String) {
        guard let option = Self.allCases.first(where: { $0.spellings.contains(spelling) }) else {
            return nil
        }
        self = option
    }
}
