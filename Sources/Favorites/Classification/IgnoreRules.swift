internal import Mirror

/// The names of hidden and temporary files of file managers, browsers and editors.
enum IgnoreRules {
    /// Whether a part of the path is hidden.
    static func hides(_ path: ArraySlice<UInt8>) -> Bool {
        var start = path.startIndex
        for end in start...path.endIndex
        where end == path.endIndex || path[end] == UInt8(ascii: "/") {
            if isHidden(path[start..<end]) { return true }
            start = end + 1
        }
        return false
    }

    /// Whether a name without slashes is hidden; hidden folders are not scanned.
    static func isHidden(_ name: ArraySlice<UInt8>) -> Bool {
        name.first == UInt8(ascii: ".")
            || hidden.contains { name.count == $0.count && ends(name, with: $0) }
    }

    static func contains(_ name: FavoriteName) -> Bool {
        hides(name.bytes[...]) || isTemporary(name.lastPart)
    }

    /// Whether the file is temporary, or metadata of an operating system.
    private static func isTemporary(_ name: ArraySlice<UInt8>) -> Bool {
        if name.last == UInt8(ascii: "~") || name.starts(with: [0x7E, 0x24]) {
            return true
        }
        if name.first == UInt8(ascii: "#"), name.last == UInt8(ascii: "#") { return true }
        return names.contains { name.count == $0.count && ends(name, with: $0) }
            || endings.contains { ends(name, with: $0) }
    }

    /// Whether `name` ends with `ending`, which is in lower case, in letters of any case.
    private static func ends(_ name: ArraySlice<UInt8>, with ending: [UInt8]) -> Bool {
        guard name.count >= ending.count else { return false }
        var position = name.endIndex - ending.count
        for byte in ending {
            let letter = name[position]
            guard (0x41...0x5A ~= letter ? letter | 0x20 : letter) == byte else { return false }
            position += 1
        }
        return true
    }

    /// Of file systems, and the trash of Windows, Synology and QNAP.
    private static let hidden = [
        "lost+found", "system volume information", "$recycle.bin", "#recycle", "@recycle",
    ].map { Array($0.utf8) }
    private static let names = [
        "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r",
        // The text of the mirror in an empty folder.
        Layout.favoritesHint.lowercased(),
    ].map { Array($0.utf8) }
    private static let endings = [
        ".part", ".partial", ".lock", ".tmp", ".temp", ".crdownload", ".download", ".swp",
        ".filepart",
        // The sidecar that a photo manager writes beside a link.
        ".xmp",
    ].map { Array($0.utf8) }
}
