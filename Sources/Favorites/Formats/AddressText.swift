internal import APOD
internal import Platform

/// Interprets the address of a web page or a file by its text; nothing is downloaded.
enum AddressText {
    enum Meaning: Hashable {
        case day(Day)
        /// A path on this or another machine.
        case path(PathText)
        /// The address names no day.
        case elsewhere
    }

    /// The meaning of the address at the end of `line`, after a key for example; `nil` if there is none.
    static func meaning(in line: String) -> Meaning? {
        for colon in line.indices where line[colon] == ":" {
            let start = line[..<colon].suffix(5).lowercased()
            if let scheme = schemes.first(where: start.hasSuffix),
                scheme == "file" || line[colon...].hasPrefix("://")
            {
                return meaning(of: scheme + line[colon...])
            }
        }
        return nil
    }

    /// - Returns: `nil` if `text` is no address.
    static func meaning(of text: String) -> Meaning? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        let rest = text.utf8[text.utf8.index(after: colon)...]
        guard rest.starts(with: "//".utf8) || scheme == "file" else { return nil }
        let hierarchy = rest.drop { $0 == UInt8(ascii: "/") }
        if scheme == "http" || scheme == "https" { return web(Array(hierarchy)) }
        guard fileSchemes.contains(scheme) else { return .elsewhere }
        return .path(PathText(hierarchy.percentDecoded))
    }

    private static func web(_ address: [UInt8]) -> Meaning {
        let address = address.prefix { $0 != UInt8(ascii: "#") }
        let host = address.prefix { !"/?:".utf8.contains($0) }
        let site = String(decoding: host, as: UTF8.self).lowercased()
        let path = PathText(address.dropFirst(host.count).percentDecoded)
        if let day = path.mirroredDay { return .day(day) }
        let isNASA = site == "nasa.gov" || site.hasSuffix(".nasa.gov")
        // Many sites mirror the old pages, under their old names.
        let day = isNASA ? path.pageDay : path.oldNameDay
        return day.map(Meaning.day) ?? .elsewhere
    }

    /// Schemes of files on this machine, and on servers that a file manager shows.
    private static let fileSchemes: Set<String> = [
        "file", "sftp", "ssh", "smb", "afp", "nfs", "ftp", "ftps", "dav", "davs", "fish", "mtp",
    ]

    /// The longest first: one may end like another.
    private static let schemes = (["https", "http"] + fileSchemes).sorted { $0.count > $1.count }
}
