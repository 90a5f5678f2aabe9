/// An option of a command, such as `--min-free 1GiB`; a setting of the program is also an environment variable.
///
/// Help, manual, completions, table of settings and default file are made from options: see “make docs”.
package struct Option: Sendable {
    /// Where the option can be given.
    package enum Scope: Sendable {
        /// On the command line of a command.
        case command
        /// There, or as an environment variable, which holds for all commands with the option.
        case setting
        /// As ``setting``; few people need it: it is in a section of its own in the help.
        case advancedSetting
    }

    /// The value after the name, such as `1GiB`; an option without one is a switch, which is on if it is named.
    package struct Value: Sendable {
        /// What the help calls it, such as `DIR`.
        package let placeholder: String
        /// The value without the option, as people read it; `nil` if there is none.
        package let standard: String?
        /// What a shell offers; `nil` for nothing.
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
