/// The commands of a program; a command is the first argument.
///
/// Each program has an enumeration of its commands and one of its options; all programs share parsing and
/// help.
package protocol CommandProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    associatedtype Option: OptionProtocol

    static var program: String { get }
    /// The purpose of the program in one sentence.
    static var purpose: String { get }
    /// The paragraph below the list of commands in the help.
    static var notes: String { get }

    static var help: Self { get }
    static var version: Self { get }

    var options: [Option] { get }
    /// The options of the command whose variables it ignores, because they mean something else.
    var typedOptions: [Option] { get }
    /// The allowed number of operands.
    var operands: ClosedRange<Int> { get }
    /// The names of the operands in the help.
    var words: [String] { get }
    /// The purpose of the command in one sentence.
    var summary: String { get }
    /// An additional section of the help.
    var details: (title: String, rows: [(String, String)])? { get }
    /// Examples with their effects.
    var examples: [(command: String, effect: String)] { get }
    var exitCodes: [ExitCode] { get }
    /// The effect of an option on this command.
    func summary(of option: Option) -> String
    /// The default value of an option of this command in the help, if any.
    func defaultValue(of option: Option) -> String?
    func meaning(of code: ExitCode) -> String
}

/// The options of a program; its settings are also environment variables.
package protocol OptionProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    static var variablePrefix: String { get }
    /// The program's variables that are not options.
    static var otherVariables: [String] { get }
    /// The names of variables that earlier versions had.
    static var formerVariables: [String] { get }
    /// Whether it is a setting, which is also a variable.
    var isSetting: Bool { get }
    /// Whether few people need it: it has a section of its own in the help.
    var isAdvanced: Bool { get }

    /// The short form, such as `-q`, if any.
    var shortSpelling: String? { get }
    /// The name of the value in the help; `nil` for a switch, which has no value.
    var placeholder: String? { get }
    /// The default value in the help, if any.
    var defaultValue: String? { get }
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

    package var typedOptions: [Option] { [] }

    package func summary(of option: Option) -> String { option.summary }

    package func defaultValue(of option: Option) -> String? { option.defaultValue }

    package func meaning(of code: ExitCode) -> String { code.meaning }

    /// The synopsis of the command with all options.
    package var usage: String {
        ([Self.program, rawValue] + options.map(\.synopsis) + words).joined(separator: " ")
    }
}

extension OptionProtocol {
    package static var otherVariables: [String] { [] }
    package static var formerVariables: [String] { [] }
    package var isSetting: Bool { true }
    package var isAdvanced: Bool { false }
    package var shortSpelling: String? { nil }

    /// `--min-free`.
    package var spelling: String { "--\(rawValue)" }

    /// `[--min-free 1GiB]`.
    package var synopsis: String { "[\(spelling)\(placeholder.map { " \($0)" } ?? "")]" }

    /// The short and the long form.
    package var spellings: [String] { [shortSpelling, spelling].compactMap(\.self) }

    /// `APOD_MIRROR_MIN_FREE`; `nil` if it is no setting.
    package var variable: String? { isSetting ? variableName : nil }

    /// The name of its variable, if it had one.
    var variableName: String {
        Self.variablePrefix + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    package init?(spelling: String) {
        guard let option = Self.allCases.first(where: { $0.spellings.contains(spelling) }) else {
            return nil
        }
        self = option
    }
}
