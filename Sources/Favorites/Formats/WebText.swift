internal import APOD

/// A web address, or another address of a file, taken for its words alone: nothing is ever fetched.
enum WebText {
    /// What an address means.
    enum Meaning: Hashable {
        case day(Day)
        /// A path of this or another machine.
        case path(PathText)
        /// The site it leads to.
        case elsewhere(String)
    }

    /// - Returns: `nil` where `text` is no address.
    static func meaning(of text: String) -> Meaning? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        let rest = text.utf8[text.utf8.index(after: colon)...]
        guard rest.starts(with: "//".utf8) || scheme == "file" else { return nil }
        let hierarchy = rest.drop { $0 == UInt8(ascii: "/") }
        if scheme == "http" || scheme == "https" { return web(Array(hierarchy)) }
        guard fileSchemes.contains(scheme) else { return .elsewhere("a “\(scheme):” address") }
        return .path(PathText(Percent.decoded(Array(hierarchy))))
    }

    private static func web(_ address: [UInt8]) -> Meaning {
        let words = address.prefix { $0 != UInt8(ascii: "#") }
        let host = words.prefix { !"/?:".utf8.contains($0) }
        let site = String(decoding: host, as: UTF8.self).lowercased()
        let target = PathText(Percent.decoded(Array(words.dropFirst(host.count))))
        if let day = target.mirroredDay { return .day(day) }
        if isNASA(site), let day = target.day { return .day(day) }
        // Many sites mirror the old pages, under their old names.
        if let name = target.parts.last, name.starts(with: "ap".utf8), let day = target.day {
            return .day(day)
        }
        return .elsewhere(site)
    }

    private static func isNASA(_ host: String) -> Bool {
        host == "nasa.gov" || host.hasSuffix(".nasa.gov")
    }

    /// Files on this machine, and on servers that a file manager shows.
    private static let fileSchemes: Set<String> = [
        "file", "sftp", "ssh", "smb", "afp", "nfs", "ftp", "ftps", "dav", "davs", "fish", "mtp",
    ]
}
