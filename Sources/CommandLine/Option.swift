/// An option of a command, such as `--min-free 1GiB`; an option that is a setting has an environment variable, too.
///
/// “make docs” makes the help, the manual, the completions, the table of settings and the default file from options.
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
        package let standard: String?
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
    /// The short form, such as `-q`, if any.
    package let shortSpelling: String?
    /// `nil` for a switch.
    package let value: Value?
    /// What the option does, for the help.
    package let summary: String
    /// A paragraph for the manual, in Markdown; `nil` if the summary says it all.
    package let manual: String?
    package var scope: Scope

    /// Creates an option; one with a default or a completion must have a `value`.
    package init(
        _ name: String, short: String? = nil, value placeholder: String? = nil,
        default standard: String? = nil, _ summary: String, manual: String? = nil,
        completion: Completion? = nil, scope: Scope = .command
    ) {
        precondition(placeholder != nil || standard == nil && completion == nil)
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

    /// The placeholder of the value after a blank, ` 1GiB`; empty for a switch.
    var valueInHelp: String { value.map { " \($0.placeholder)" } ?? "" }

    /// Whether the option can also be given as an environment variable.
    package var isSetting: Bool { scope != .command }

    /// The name of the variable with this `prefix`: `APOD_MIRROR_MIN_FREE`.
    func variableName(prefix: String) -> String {
        prefix + name.uppercased().replacing("-", with: "_")
    }
}

/// Options with the same name are equal, because a command has at most one of them.
extension Option: Hashable {
    package static func == (left: Option, right: Option) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
