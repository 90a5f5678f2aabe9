internal import Platform

/// The logos and generic entries that NASA serves instead of the real ones, and that are never stored.
package enum Placeholder {
    /// Whether `name` is the name or the URL of a generic picture, such as `…/NASA-logo.png`.
    package static func isName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["nasa-logo", "news-thumbnail", "nasa-meatball"].contains {
            name.contains(bytes: $0)
        }
    }

    /// Whether it is the entry that the old API returns for every date since 2026.
    static func isEntry(title: String, explanation: String) -> Bool {
        title.lowercased() == "nasa science"
            || explanation.lowercased().hasPrefix("discover the cosmos!")
    }

    static let reason = "NASA's placeholder"
}
