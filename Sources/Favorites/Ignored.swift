/// The names that file managers, browsers and editors leave while they work: no word about these.
enum Ignored {
    /// Hidden: neither listed nor looked into.
    static func isHidden(_ name: some Collection<UInt8>) -> Bool {
        name.first == UInt8(ascii: ".") || name.elementsEqual("lost+found".utf8)
            || name.elementsEqual("$RECYCLE.BIN".utf8)
    }

    /// Temporary, or notes of a system to itself.
    static func contains(_ name: [UInt8]) -> Bool {
        let text = String(decoding: name, as: UTF8.self).lowercased()
        return isHidden(name) || text.hasPrefix("~$") || text.hasSuffix("~")
            || (text.hasPrefix("#") && text.hasSuffix("#"))
            || names.contains(text) || endings.contains { text.hasSuffix($0) }
    }

    private static let names: Set<String> = [
        "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin", "icon\r",
    ]
    private static let endings = [
        ".part", ".partial", ".lock", ".tmp", ".temp", ".crdownload", ".download", ".swp",
        ".filepart",
    ]
}
