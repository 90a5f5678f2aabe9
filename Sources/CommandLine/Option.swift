/// An option of a command, such as `--min-free 1GiB`; an option that is a setting has an environment variable, too.
///
/// The help, the manual, the completions, the table of settings and the default file are made from options.
package struct Option: Sendable {
    /// Where the option can be given.
    package enum Scope: Sendable {
        /// On the command line of a command.
        case command
        /// On the command line, or as an environment variable, which applies to all commands that have the option.
        case setting
        /// As ``setting``, but in the section “Advanced options” of the help, because few people need it.
        case advancedSetting
    }

    /// The value that follows the name, such as `1GiB`; an option without a value is a switch.
    package struct Value: Sendable {
        /// The word for the value in the help, such as `DIR`.
        package let placeholder: String
        /// The default as the help describes it: `1GiB` or `the name of the picture`; `nil` if there is none.
        package let defaultText: String?
        /// What a shell offers after the name when the user presses the Tab key; `nil` if it offers nothing.
        package let completion: Completion?
    }

    package enum Completion: Hashable, Sendable {
        /// The names of directories.
        case directory
        case words([String])
    }

    /// The name without the dashes: `min-free`.
    package let name: String
    /// The short form with its dash, such as `-q`; `nil` if there is none.
    package let shortSpelling: String?
    /// The value that the user gives with the option; `nil` for a switch.
    package let value: Value?
    /// What the option does, for the help.
    package let summary: String
    /// A paragraph for the manual, in Markdown; `nil` if the summary says it all.
    package let manual: String?
    package let scope: Scope

    /// Creates an option; without a `value`, it is a switch and can have neither a default nor a completion.
    package init(
        _ name: String, short: String? = nil, value placeholder: String? = nil,
        default defaultText: String? = nil, summary: String, manual: String? = nil,
        completion: Completion? = nil, scope: Scope = .command
    ) {
        if placeholder == nil {
            precondition(
                defaultText == nil && completion == nil,
                "the option --\(name) has a default or a completion, but no value")
        }
        self.name = name
        shortSpelling = short
        value = placeholder.map {
            Value(placeholder: $0, defaultText: defaultText, completion: completion)
        }
        self.summary = summary
        self.manual = manual
        self.scope = scope
    }

    /// The same option with ``Scope/setting`` in place of ``Scope/command``; an option that is a setting already is not changed.
    package var asSetting: Option {
        guard !isSetting else { return self }
        return Option(
            name, short: shortSpelling, value: value?.placeholder, default: value?.defaultText,
            summary: summary, manual: manual, completion: value?.completion, scope: .setting)
    }

    /// The long form as the user types it: `--min-free`.
    package var spelling: String { "--\(name)" }

    /// The short form, if there is one, and the long form.
    package var spellings: [String] { [shortSpelling, spelling].compactMap(\.self) }

    /// The option in the usage of a command: `[--min-free 1GiB]`.
    package var synopsis: String { "[\(spelling)\(valueInHelp)]" }

    /// The placeholder of the value after a blank, ` 1GiB`; empty for a switch.
    var valueInHelp: String { value.map { " \($0.placeholder)" } ?? "" }

    /// Whether the option can also be given as an environment variable.
    package var isSetting: Bool { scope != .command }

    /// The name of the environment variable, which begins with `prefix`: `APOD_MIRROR_MIN_FREE`.
    func variableName(prefix: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }
}

/// Options with the same name are equal, because the user gives the name, and a command has at most one option of a name.
///
/// So `--quiet` of one command can be looked up by `--quiet` of another, which has another ``Option/summary``.
extension Option: Hashable {
    package static func == (left: Option, right: Option) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
