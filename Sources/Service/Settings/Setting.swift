package import CommandLine

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
            guard let value = parse(text) else { return "“\(text)” is not \(expected)" }
            settings[keyPath: property] = value
            return nil
        }
    }

    /// A switch.
    init(_ property: any WritableKeyPath<Settings, Bool> & Sendable, _ option: Option) {
        self.init(property, option, expects: Bool.expected, Bool.init(argument:))
    }

    init(_ option: Option, _ read: @escaping @Sendable (inout Settings, String) -> String?) {
        self.option = option
        self.option.isSetting = true
        self.read = read
    }
}
