/// An `http` or `https` address, taken apart; what the grammar does not allow is percent-encoded.
struct WebAddress: Hashable, Sendable {
    /// `https://host:port`, in lower case.
    let origin: String
    /// Empty, or begins with a slash.
    private(set) var path: String
    /// What follows the question mark.
    private(set) var query: String?

    /// Reads an address as a page of `base` writes it; `nil` where it leads to no web server.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - base: The origin that relative addresses begin with.
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

    /// Reads an address as a person writes it: the scheme may be missing, slashes may trail.
    init?(typed text: String) {
        let text = Self.encoded(text)
        self.init(absolute: text.contains("://") ? text : "https://" + text)
        while path.hasSuffix("/") { path.removeLast() }
    }

    /// What is asked for in place of no address: RFC 6761 keeps that name free of servers.
    static let nowhere = WebAddress(origin: "https://address.invalid")

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

    /// The host's name, without its port.
    var host: String {
        let authority = origin.split(separator: "/").last ?? ""
        let host = authority.split(separator: "@").last ?? ""
        guard let port = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return String(host) }
        return String(host[..<port])
    }

    /// Whether one of NASA's own servers has that name.
    var isNASA: Bool { host == "nasa.gov" || host.hasSuffix(".nasa.gov") }

    /// The last part of the path as a file would be named, in lower case, for comparing only.
    var fileName: String {
        Self.decoded(String(path.split(separator: "/").last ?? "")).lowercased()
    }

    /// What follows the last dot of the file's name.
    var pathExtension: String {
        fileName.contains(".") ? String(fileName.split(separator: ".").last ?? "") : ""
    }

    /// The value of one field of the query.
    func value(of name: String) -> String? {
        for item in query?.split(separator: "&") ?? [] where item.hasPrefix("\(name)=") {
            return String(item.dropFirst(name.count + 1))
        }
        return nil
    }

    /// This address at another path, without a query unless one is given.
    func at(_ path: String, query: String? = nil) -> WebAddress {
        var address = self
        address.path = path
        address.query = query
        return address
    }

    /// This address one step further down; the query stays.
    func appending(_ component: String) -> WebAddress {
        var address = self
        address.path += "/" + component
        return address
    }

    /// This address with more fields in its query.
    func adding(_ items: KeyValuePairs<String, String>) -> WebAddress {
        var address = self
        let added = items.map { "\($0)=\(Self.escaped($1))" }
        let present = (query ?? "").split(separator: "&").map(String.init)
        address.query = (present + added).joined(separator: "&")
        return address
    }
}

extension WebAddress: CustomStringConvertible {
    var description: String { origin + path + (query.map { "?" + $0 } ?? "") }
}

extension WebAddress {
    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func scheme(of text: String) -> Substring? {
        guard let end = text.firstIndex(where: { ":/?#".contains($0) }), text[end] == ":",
            text.first?.isLetter == true
        else { return nil }
        return text[..<end]
    }

    /// Encodes what no address may contain, after dropping what surrounds and breaks it.
    private static func encoded(_ text: String) -> String {
        var scalars = TextNormalizer.trimmed(text).unicodeScalars
        scalars.removeAll { 0x09...0x0D ~= $0.value }
        return escaped(String(scalars), keeping: "-._~:/?#[]@!$&'()*+,;=%")
    }

    // RFC 3986, section 2; the percent sign is of what is encoded already.
    static func escaped(_ text: String, keeping marks: String = "-._~") -> String {
        func isKept(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: marks.utf8.contains(byte)
            }
        }
        guard !text.utf8.allSatisfy(isKept) else { return text }
        let bytes = text.utf8.flatMap { isKept($0) ? [$0] : escape($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let pair = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), pair.utf8.count == 2, let value = UInt8(pair, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
