/// An option of a command, such as `--min-free 1GiB`; an option that is a setting has an environment variable, too.
///
/// “make docs” makes the help, the manual, the completions, the table of settings and the default file from options.
package struct Option: Sendable {
    /// Where the option can be given.
    package enum Scope: Sendable {
        /// On the command line of a command.
        case command
        /// On the command line, or as an environment variable, which holds for all commands with the option.
        case setting
        /// As ``setting``, but in the section “Advanced options” of the help, because few people need it.
        case advancedSetting
    }

    /// The value after the name, such as `1GiB`; an option without a value is a switch.
    package struct Value: Sendable {
        /// What the help calls the value, such as `DIR`.
        package let placeholder: String
        /// The default, for people: `1GiB` or `the name of the picture`; `nil` if there is none.
        package let standard: String?
        /// What a shell offers after the name; `nil` for nothing.
        package let completion: Completion?
    }

    package enum Completion: Hashable, Sendable {
        case directory
        case words([String])
    }

    /// The name without the dashes: `min-free`.
    package let name: String
    /// The short form, such as `-q`, if any.
    package let shortSpelling: String?
    /// `nil` for a switch.
    package let value: Value?
    package let summary: String
    /// A paragraph for the manual, in Markdown; `nil` if the summary says it all.
    package let manual: String?
    package var scope: Scope

    package init(
        _ name: String, short: String? = nil, value placeholder: String? = nil,
        default standard: String? = nil, _ summary: String, manual: String? = nil,
        completion: Completion? = nil, scope: Scope = .command
    ) {
        self.name = name
        shortSpelling = short
        value = placeholder.map {
            Value(placeholder: $0, standard: standard, completion: completion)
        }
        self.summary = summary
        self.manual = manual
        self.scope = scope
    }

    /// `--min-free`.
    package var spelling: String { "--\(name)" }

    /// The short and the long form.
    package var spellings: [String] { [shortSpelling, spelling].compactMap(\.self) }

    /// `[--min-free 1GiB]`.
    package var synopsis: String { "[\(spelling)\(valueInHelp)]" }

    /// The value as it follows a spelling in the help: ` 1GiB`; empty for a switch.
    var valueInHelp: String { value.map { " \($0.placeholder)" } ?? "" }

    package var isSetting: Bool { scope != .command }

    /// The name of the variable if this is a setting: `APOD_MIRROR_MIN_FREE`.
    func variableName(_ prefix: String) -> String {
        prefix + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }
}

/// A command has one option of a name.
extension Option: Hashable {
    package static func == (left: Option, right: Option) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
