/// The commands of a program, as an enumeration; the first argument names one.
package protocol CommandProtocol: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    static var program: String { get }
    /// The purpose of the program in one sentence.
    static var purpose: String { get }
    /// The paragraph below the list of commands in the help.
    static var notes: String { get }

    static var help: Self { get }
    static var version: Self { get }

    /// The beginning of the names of the program's variables.
    static var variablePrefix: String { get }

    var options: [Option] { get }
    /// The options of many that `--help` shows, which fits a terminal then; empty if it shows all.
    var commonOptions: [Option] { get }
    /// The allowed number of operands.
    var operands: ClosedRange<Int> { get }
    /// The names of the operands in the help.
    var words: [String] { get }
    /// The purpose of the command in one sentence.
    var summary: String { get }
    /// An additional section of the help.
    var details: (title: String, rows: [(String, String)])? { get }
    var examples: [(command: String, effect: String)] { get }
    var exitCodes: [ExitCode] { get }
    func meaning(of code: ExitCode) -> String
}

extension CommandProtocol {
    package init?(word: String) {
        switch word {
        case "-h", "--help": self = .help
        case "--version": self = .version
        default: self.init(rawValue: word)
        }
    }

    package var commonOptions: [Option] { [] }
    package var details: (title: String, rows: [(String, String)])? { nil }

    static var allOptions: [Option] { allCases.flatMap(\.options) }

    /// The variable of an option: `APOD_MIRROR_MIN_FREE`; `nil` if it is no setting.
    package static func variable(of option: Option) -> String? {
        option.isSetting ? option.variableName(variablePrefix) : nil
    }

    package func meaning(of code: ExitCode) -> String { code.meaning }

    /// The synopsis of the command with all options.
    package var usage: String {
        ([Self.program, rawValue] + options.map(\.synopsis) + words).joined(separator: " ")
    }
}
