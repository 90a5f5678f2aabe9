internal import Platform
internal import Transfer

/// Recognizes the logos and generic entries that NASA serves instead of real ones; they are never stored.
package enum Placeholder {
    /// Whether `name`, a file name or a URL, is that of a generic picture, such as `…/NASA-logo.png`.
    package static func isName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["nasa-logo", "news-thumbnail", "nasa-meatball"].contains {
            name.contains(bytes: $0)
        }
    }

    /// Whether the server has redirected a request for the file at `address` to a generic picture at `target`.
    ///
    /// A picture that NASA moves out of its archive keeps its file name. Any other answer from outside of the archive to a
    /// request for a file in it counts as a generic picture.
    package static func isRedirect(of address: String, to target: String) -> Bool {
        if isName(target) { return true }
        guard let requested = WebURL(link: address), let received = WebURL(link: target) else {
            return false
        }
        return requested.isArchived && !received.isArchived
            && received.fileName != requested.fileName
    }

    /// Whether an entry with these texts is the one that NASA's old API returns for every date since 2026.
    static func isEntry(title: String, explanation: String) -> Bool {
        title.lowercased() == "nasa science"
            || explanation.lowercased().hasPrefix("discover the cosmos!")
    }

    /// Why such an entry is rejected, for ``EntryRejection``.
    static let reason = "NASA's placeholder"
}
