internal import Platform

extension String {
    /// This address as logs, errors, `status` and its report print it: shortened, without user, password and query.
    ///
    /// A feed may require a key in its query. The address need not be valid: rejected ones are printed, too.
    package var redactedAddress: String {
        String(withoutUser.prefix { !"?#".contains($0) }).excerpt
    }

    /// Everything up to the last `@` before the path is a user, even if a password with a `?` makes it invalid.
    private var withoutUser: String {
        let start = firstRange(of: "//")?.upperBound ?? startIndex
        let end = self[start...].firstIndex { $0 == "/" || $0 == "\\" } ?? endIndex
        guard let at = self[start..<end].lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }
}
