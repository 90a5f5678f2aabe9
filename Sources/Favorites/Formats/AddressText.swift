internal import APOD
internal import Platform

/// Interprets the address of a web page or a file by its text; nothing is downloaded.
enum AddressText {
    enum Meaning: Hashable {
        /// An address of the web, with the day that it names.
        case web(Day?)
        /// A path on this or another machine.
        case path(PathText)
    }

    /// The meaning of the address in `text`, after a key for example; `nil` if there is none.
    ///
    /// Any scheme but those of the web is one of files, on this machine or on a server that a file manager shows.
    static func meaning(in text: String) -> Meaning? {
        guard let mark = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<mark.lowerBound].lowercased()
        let rest = Array(text[mark.upperBound...].utf8)
        let isWeb = scheme.hasSuffix("http") || scheme.hasSuffix("https")
        return isWeb ? .web(day(ofWeb: rest)) : .path(PathText(rest.percentDecoded))
    }

    private static func day(ofWeb address: [UInt8]) -> Day? {
        let address = address.prefix { $0 != UInt8(ascii: "#") }
        let host = address.prefix { !"/?:".utf8.contains($0) }
        let site = String(decoding: host, as: UTF8.self).lowercased()
        let path = PathText(address.dropFirst(host.count).percentDecoded)
        if let day = path.mirroredDay { return day }
        let isNASA = site == "nasa.gov" || site.hasSuffix(".nasa.gov")
        // Many sites mirror the old pages, under their old names.
        return isNASA ? path.pageDay : path.oldNameDay
    }
}
