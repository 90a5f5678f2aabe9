internal import Platform

/// The logos and generic entries that NASA serves instead of the real ones; they are never stored.
package enum Placeholder {
    /// Whether `name` is the name or the URL of the file of a generic picture.
    package static func isName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["nasa-logo", "news-thumbnail", "nasa-meatball"].contains {
            name.contains(bytes: $0)
        }
    }

    /// Whether the old API returns an entry of this title and explanation for every date.
    static func isEntry(title: String, explanation: String) -> Bool {
        title.lowercased() == "nasa science"
            || explanation.lowercased().hasPrefix("discover the cosmos!")
    }

    static let reason = "NASA's placeholder"
}
