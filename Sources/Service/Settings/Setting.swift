package import CommandLine
internal import Platform
internal import Transfer

/// A setting of `run`: its option, which is also a variable, and how a value becomes a property of ``Settings``.
package struct Setting: Sendable {
    /// `--keep x` is invalid: `“x” is not “all”, a number of days (365d) or a size (20GB), more than 0`.
    package struct InvalidValue: Error, CustomStringConvertible {
        package let description: String
    }

    package let option: Option
    /// Parses a value as the user typed it, and puts it into the settings; throws ``InvalidValue``.
    package let read: @Sendable (inout Settings, String) throws(InvalidValue) -> Void

    /// A setting with a value; `parse` returns `nil` for an invalid value, and `expected` says which values are valid.
    init<Value>(
        _ property: any WritableKeyPath<Settings, Value> & Sendable, _ option: Option,
        expects expected: String, _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(option) { (settings, text) throws(InvalidValue) in
            guard let value = parse(text) else {
                throw InvalidValue(description: "“\(option.printed(text))” is not \(expected)")
            }
            settings[keyPath: property] = value
        }
    }

    /// A setting whose property is `nil` until it has a value; the value `word`, such as `auto` of `--feed`, means `nil`, too.
    init<Value>(
        optional property: any WritableKeyPath<Settings, Value?> & Sendable,
        none word: String? = nil, _ option: Option, expects expected: String,
        _ parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(property, option, expects: expected) { (text: String) -> Value?? in
            // The outer optional is `nil` for an invalid text, and the inner one is the value of the property.
            if text == word { return .some(nil) }
            return parse(text).map(Optional.some)
        }
    }

    /// A setting that is on or off.
    init(_ property: any WritableKeyPath<Settings, Bool> & Sendable, _ option: Option) {
        self.init(property, option, expects: Bool.expected, Bool.init(argument:))
    }

    /// A setting whose value `read` parses; the scope of `option` may be left out.
    init(
        _ option: Option,
        _ read: @escaping @Sendable (inout Settings, String) throws(InvalidValue) -> Void
    ) {
        self.option = option.asSetting
        self.read = read
    }
}

extension Option {
    /// Whether the value is an address or a list of addresses: its placeholder is `URL` or `URL,...|off`.
    package var isAddress: Bool { value?.placeholder.hasPrefix("URL") ?? false }

    /// `text`, a value of this option, as messages, `service.json` and `status` show it: addresses lack keys and passwords.
    package func printed(_ text: String) -> String {
        guard isAddress else { return text }
        return text.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).redactedAddress }.joined(separator: ",")
    }
}
