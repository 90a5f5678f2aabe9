internal import APOD
internal import Mirror

/// Recognizes names in `favorites/` that no person chose: hidden and temporary files of file managers, browsers and editors.
///
/// ``Classifier`` ignores these items, and commands refuse such a name for a new link.
enum IgnoreRules {
    /// Whether the item is hidden, temporary or metadata of an operating system.
    static func ignores(_ name: FavoriteName) -> Bool {
        name.parts.contains { isHidden($0[...]) } || isTemporary(name.last)
    }

    /// Whether a name without slashes is hidden; hidden files and folders are not scanned.
    static func isHidden(_ name: ArraySlice<UInt8>) -> Bool {
        name.first == UInt8(ascii: ".") || SystemNames.contains(name)
    }

    private static func isTemporary(_ name: [UInt8]) -> Bool {
        if name.last == UInt8(ascii: "~") || name.starts(with: "~$".utf8) { return true }
        if name.first == UInt8(ascii: "#"), name.last == UInt8(ascii: "#") { return true }
        let name = name.map(\.lowercased)
        return ignoredNames.contains(name) || isSafeSave(name)
            || ignoredEndings.contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    /// Whether macOS made the name while it saved a file, such as `x.jpg.sb-0a1b2c3d-x1Y2z3`.
    private static func isSafeSave(_ name: [UInt8]) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 3, let last = parts.last, last.count == 6 else { return false }
        let beginning = parts[parts.count - 3]
        return parts[parts.count - 2].count == 8 && beginning.suffix(3).elementsEqual(".sb".utf8)
    }

    private static let ignoredNames = Set(
        [
            "thumbs.db", "thumbs.db:encryptable", "ehthumbs.db", "desktop.ini",
            // macOS, also over Samba, which has another character for a control character.
            "icon\r", "icon\u{F00D}",
            // The texts of the mirror.
            Layout.favoritesHint.lowercased(), Layout.favoritesReport.lowercased(),
        ].map { Array($0.utf8) })
    private static let ignoredEndings = [
        ".part", ".partial", ".lock", ".tmp", ".temp", ".crdownload", ".download", ".swp",
        ".filepart", ".!ut", ".!sync", ".ffs_tmp",
        // What Windows knows of a download, as WSL copies it.
        ":zone.identifier",
        // Sidecars that photo managers write beside a link.
        ".xmp", ".aae", ".pp3",
    ]
}
