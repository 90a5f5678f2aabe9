internal import Platform

extension String {
    /// This address for errors and logs: shortened, without user, password and the values of keys.
    ///
    /// It need not be valid: rejected addresses are shown, too.
    var redactedAddress: String { withoutSecrets.excerpt }

    /// This address without user, password and the values of keys.
    var withoutSecrets: String {
        let address = withoutUser
        var rest = address.drop { !"?#".contains($0) }
        var result = String(address[..<rest.startIndex])
        while let separator = rest.first {
            let parameter = rest.dropFirst().prefix { !"?#&".contains($0) }
            result += "\(separator)\(Self.withoutSecretValue(parameter))"
            rest = rest[parameter.endIndex...]
        }
        return result
    }

    /// Everything up to the last `@` before the path is a user, even if a password with a `?` makes it invalid.
    private var withoutUser: String {
        let start = firstRange(of: "//")?.upperBound ?? startIndex
        let end = self[start...].firstIndex { $0 == "/" || $0 == "\\" } ?? endIndex
        guard let at = self[start..<end].lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }

    private static func withoutSecretValue(_ parameter: Substring) -> String {
        let name = parameter.prefix { $0 != "=" }
        let plainName = String(decoding: name.utf8.percentDecoded, as: UTF8.self).lowercased()
        let isSecret = ["key", "token", "secret", "password", "signature"]
            .contains { plainName.contains($0) }
        return isSecret && name.endIndex < parameter.endIndex ? "\(name)=..." : String(parameter)
    }
}
