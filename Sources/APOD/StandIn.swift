/// What NASA serves in place of what it does not have: never to be stored.
enum StandIn {
    /// Whether `address` is that of a generic picture.
    static func isMedia(_ address: WebAddress) -> Bool {
        let address = address.description.lowercased()
        return ["nasa-logo", "news-thumbnail", "nasa-meatball"].contains { address.contains($0) }
    }

    /// Whether an entry of this title and explanation is what the old API answers for every date.
    static func isEntry(title: String, explanation: String) -> Bool {
        title.lowercased() == "nasa science"
            || explanation.lowercased().hasPrefix("discover the cosmos!")
    }

    static let advice = """
        this is NASA's stand-in: since September 2026 this address serves it for every date; \
        use the default upstream
        """
}
