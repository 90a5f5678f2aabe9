package import CommandLine
internal import Transfer

/// A setting of `run`: an option and variable, and how its value becomes a property of ``Settings``.
package struct Setting: Sendable {
    package private(set) var option: Option
    /// Puts a value as it was typed into the settings.
    ///
    /// Returns why it cannot, as the end of a sentence about the value; `nil` if it can.
    package let read: @Sendable (inout Settings, String) -> String?

    /// A setting whose value `parse` accepts, and is `expected` in an error.
    init<Value>(
        _ property: any WritableKeyPath<Settings, Value> & Sendable, _ option: Option,
        expects expected: String, _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(option) { settings, text in
            guard let value = parse(text) else {
                return "“\(option.printed(text))” is not \(expected)"
            }
            settings[keyPath: property] = value
            return nil
        }
    }

    /// A switch.
    init(_ property: any WritableKeyPath<Settings, Bool> & Sendable, _ option: Option) {
        self.init(property, option, expects: Bool.expected, Bool.init(argument:))
    }

    /// A setting with a `read` of its own.
    init(_ option: Option, _ read: @escaping @Sendable (inout Settings, String) -> String?) {
        self.option = option
        if option.scope == .command { self.option.scope = .setting }
        self.read = read
    }
}

extension Option {
    /// Whether the value is an address, or several: all such options call it URL, such as `URL,...|off`.
    package var isAddress: Bool { value?.placeholder.hasPrefix("URL") ?? false }

    /// The value `text` of this option as messages, `service.json` and `status` have it: addresses are redacted.
    package func printed(_ text: String) -> String {
        guard isAddress else { return text }
        return text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).redactedAddress }.joined(separator: ",")
    }
}
