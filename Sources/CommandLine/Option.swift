/// An option of a command; a setting is also an environment variable.
///
/// Help, manual, completions, table of settings and default file are made from options: see “make docs”.
package struct Option: Sendable {
    /// What a shell offers as the value.
    package enum Completion: Hashable, Sendable {
        case nothing, directory
        case words([String])
    }

    /// The name without the dashes: `min-free`.
    package let name: String
    /// The short form, such as `-q`, if any.
    package let shortSpelling: String?
    /// The name of the value, such as `DIR`; `nil` for a switch, which has none.
    package let placeholder: String?
    /// The default value as people read it, if any.
    package let defaultValue: String?
    package let summary: String
    /// A paragraph for the manual, in Markdown; `nil` if the summary says it all.
    package let manual: String?
    package let completion: Completion
    package var isSetting: Bool
    /// Whether few people need the option: it is in a section of its own in the help.
    package let isAdvanced: Bool

    package init(
        _ name: String, short: String? = nil, value placeholder: String? = nil,
        default defaultValue: String? = nil, _ summary: String, manual: String? = nil,
        completion: Completion = .nothing, isSetting: Bool = false, isAdvanced: Bool = false
    ) {
        self.name = name
        shortSpelling = short
        self.placeholder = placeholder
        self.defaultValue = defaultValue
        self.summary = summary
        self.manual = manual
        self.completion = completion
        self.isSetting = isSetting
        self.isAdvanced = isAdvanced
    }

    /// `--min-free`.
    package var spelling: String { "--\(name)" }

    /// The short and the long form.
    package var spellings: [String] { [shortSpelling, spelling].compactMap(\.self) }

    /// `[--min-free 1GiB]`.
    package var synopsis: String { "[\(spelling)\(placeholder.map { " \($0)" } ?? "")]" }

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
