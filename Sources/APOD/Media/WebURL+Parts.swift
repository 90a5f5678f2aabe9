internal import Platform
package import Transfer

extension WebURL {
    /// Parses a link in a feed or a web page; relative to `base`, if there is one.
    ///
    /// White space at its ends and line breaks are removed, as browsers do. `nil` results from other
    /// schemes than `http` and `https` and from mere fragments.
    package init?(link: String, relativeTo base: WebURL? = nil) {
        let bytes = TextNormalizer.trimmed(link).utf8.filter { !(0x09...0x0D ~= $0) }
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("//") { text = "https:" + text }
        guard let url = try? WebURL(text, relativeTo: base), url.isWeb, !url.host.isEmpty
        else { return nil }
        self = url
    }

    /// The last component of the path, decoded and in lower case, for comparisons only.
    var fileName: String {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
        return String(decoding: name.percentDecoded, as: UTF8.self).lowercased()
    }

    /// The text after the last dot of the file name.
    var pathExtension: String {
        let name = fileName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(Substring(name[dot...].dropFirst()))
    }

    /// Whether this is the URL of a video that browsers play, and that the mirror can have.
    var isVideoFile: Bool { ["mp4", "webm"].contains(pathExtension) }

    /// Returns the value of a field of the query, as it is there: percent-encoded, without `&` and `#`.
    func value(of name: String) -> String? {
        let start = "\(name)=".utf8
        let items = query?.utf8.split(separator: UInt8(ascii: "&")) ?? []
        return items.first { $0.starts(with: start) }.map {
            String(Substring($0.dropFirst(start.count)))
        }
    }

    /// Empty where the path has slashes only.
    var pathWithoutFinalSlashes: String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return path
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

extension String {
    /// The absolute URL, with its fragment; `nil` for any other scheme than `http` and `https`, such as
    /// `javascript:`.
    ///
    /// Nothing requests it. `WebURL` has no fragment, and records have tens of thousands of links.
    package var webURL: String? {
        let url = hasPrefix("//") ? "https:" + self : self
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://") ? url.urlEncoded : nil
    }
}
