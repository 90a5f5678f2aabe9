/// The logos and generic entries that NASA serves instead of the real ones; they are never stored.
enum Placeholder {
    /// Whether `url` is that of a generic picture.
    static func isMedia(_ url: WebURL) -> Bool {
        let url = url.description.lowercased()
        return ["nasa-logo", "news-thumbnail", "nasa-meatball"].contains { url.contains($0) }
    }

    /// Whether the old API returns an entry of this title and explanation for every date.
    static func isEntry(title: String, explanation: String) -> Bool {
        title.lowercased() == "nasa science"
            || explanation.lowercased().hasPrefix("discover the cosmos!")
    }

    static let advice = """
        NASA's placeholder, which this address returns for every date since September 2026; \
        use the default upstream
        """
}
