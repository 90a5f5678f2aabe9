internal import Platform

/// An `http` or `https` URL, split into its parts; characters that a URL cannot contain are
/// percent-encoded.
struct WebURL: Hashable, Sendable {
    /// `https://host:port` in lower case.
    let origin: String
    /// Empty, or begins with a slash.
    private(set) var path: String
    /// The text after the question mark.
    private(set) var query: String?

    /// Parses a URL, absolute or relative to the origin `base`; `nil` results from other schemes and from
    /// mere fragments.
    init?(_ text: String, relativeTo base: String) {
        let text = Self.encoded(text)
        guard let first = text.first, first != "#" else { return nil }
        if text.hasPrefix("//") {
            self.init(absolute: "https:" + text)
        } else if Self.scheme(of: text) != nil {
            self.init(absolute: text)
        } else {
            self.init(absolute: base + (first == "/" ? "" : "/") + text)
        }
    }

    /// Parses a URL as a user types it: without a scheme or with slashes at its end.
    init?(typed text: String) {
        let text = Self.encoded(text)
        self.init(absolute: text.contains("://") ? text : "https://" + text)
        while path.hasSuffix("/") { path.removeLast() }
    }

    /// A URL without a server; RFC 6761 reserves the domain.
    static let invalid = WebURL(origin: "https://address.invalid")

    private init(origin: String) {
        self.origin = origin
        path = ""
    }

    private init?(absolute text: String) {
        guard let scheme = Self.scheme(of: text), ["http", "https"].contains(scheme.lowercased()),
            text.dropFirst(scheme.count).hasPrefix("://")
        else { return nil }
        let rest = text.dropFirst(scheme.count + 3).prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty else { return nil }
        origin = "\(scheme)://\(authority)".lowercased()
        let target = rest.dropFirst(authority.count)
        path = String(target.prefix { $0 != "?" })
        query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }

    /// The host without the port.
    var host: String {
        let authority = origin.split(separator: "/").last ?? ""
        let host = authority.split(separator: "@").last ?? ""
        guard let port = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return String(host) }
        return String(host[..<port])
    }

    /// Whether the host belongs to NASA.
    var isNASA: Bool { host == "nasa.gov" || host.hasSuffix(".nasa.gov") }

    /// The last component of the path, decoded and in lower case, for comparisons only.
    var fileName: String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
        return String(decoding: name.percentDecoded, as: UTF8.self).lowercased()
    }

    /// The text after the last dot of the file name.
    var pathExtension: String {
        fileName.contains(".") ? String(fileName.split(separator: ".").last ?? "") : ""
    }

    /// Returns the value of a field of the query.
    func value(of name: String) -> String? {
        for item in query?.split(separator: "&") ?? [] where item.hasPrefix("\(name)=") {
            return String(item.dropFirst(name.count + 1))
        }
        return nil
    }

    /// Returns this URL with another path and another query.
    func at(_ path: String, query: String? = nil) -> WebURL {
        var url = self
        url.path = path
        url.query = query
        return url
    }

    /// Returns this URL with a component appended to its path; the query stays.
    func appending(_ component: String) -> WebURL { at("\(path)/\(component)", query: query) }

    /// Returns this URL with fields appended to its query.
    func adding(_ fields: KeyValuePairs<String, String>) -> WebURL {
        let added = fields.map { "\($0)=\($1.percentEncoded())" }
        let present = (query ?? "").split(separator: "&").map(String.init)
        return at(path, query: (present + added).joined(separator: "&"))
    }
}

extension WebURL: CustomStringConvertible {
    var description: String { origin + path + (query.map { "?" + $0 } ?? "") }
}

extension WebURL {
    private static func scheme(of text: String) -> Substring? {
        guard let end = text.firstIndex(where: { ":/?#".contains($0) }), text[end] == ":",
            text.first?.isLetter == true
        else { return nil }
        return text[..<end]
    }

    /// Trims `text`, removes line breaks and tabs, and encodes what a URL cannot contain.
    private static func encoded(_ text: String) -> String {
        var scalars = TextNormalizer.trimmed(text).unicodeScalars
        scalars.removeAll { 0x09...0x0D ~= $0.value }
        return String(scalars).percentEncoded(keeping: "-._~:/?#[]@!$&'()*+,;=%")
    }
}
