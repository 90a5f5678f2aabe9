internal import Transfer

extension String {
    /// The absolute URL, with its fragment; `nil` for any other scheme than `http` and `https`, such as
    /// `javascript:`.
    ///
    /// Nothing requests it. `WebURL` has no fragment, and records have tens of thousands of links.
    package var webURL: String? {
        let url = hasPrefix("//") ? "https:" + self : self
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://") ? url.urlEncoded : nil
    }
}
