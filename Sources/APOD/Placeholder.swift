internal import Platform

/// Recognizes the logos and generic entries that NASA serves instead of real ones; they are never stored.
package enum Placeholder {
    /// Whether `name`, a file name or a URL, is that of a generic picture, such as `…/NASA-logo.png`.
    package static func isName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["nasa-logo", "news-thumbnail", "nasa-meatball"].contains {
            name.contains(bytes: $0)
        }
    }

    /// Whether an entry with these texts is the one that NASA's old API returns for every date since 2026.
    static func isEntry(title: String, explanation: String) -> Bool {
        title.lowercased() == "nasa science"
            || explanation.lowercased().hasPrefix("discover the cosmos!")
    }

    /// Why such an entry is rejected, for ``EntryRejection``.
    static let reason = "NASA's placeholder"
}
