internal import MediaFormat
internal import Platform
package import Transfer

/// Parses links in feeds and web pages, and reads and changes the parts of URLs.
extension WebURL {
    /// Parses a link in a feed or a web page, which may be relative to `base`.
    ///
    /// As in browsers, white space at the ends, tabs and line breaks are removed. `//host` becomes `https://host`. This fails
    /// for other schemes than `http` and `https`, and for a link such as `#section`.
    package init?(link: String, relativeTo base: WebURL? = nil) {
        let bytes = TextNormalizer.trimmed(link).utf8.filter { !(0x09...0x0D ~= $0) }
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).withSchemeOfHost
        guard !text.lacksHost, let url = try? WebURL(text, relativeTo: base), url.isWeb,
            !url.host.isEmpty
        else { return nil }
        self = url
    }

    /// The last component of the path, decoded and in lower case: `m%2064.jpg` for `…/M%2064.JPG`.
    var fileName: String {
        guard let name = path.utf8.split(separator: UInt8(ascii: "/")).last else { return "" }
        return String(decoding: name.percentDecoded, as: UTF8.self).lowercased()
    }

    /// ``fileName`` without ``pathExtension``.
    var fileStem: Substring {
        let name = fileName
        return name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    }

    /// The text after the last dot of the file name, `jpg`.
    var pathExtension: String {
        let name = fileName
        return name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? ""
    }

    var isPictureFile: Bool {
        // BMP is no type of the mirror, but a picture: its download fails with an error that says so.
        MediaType(anyExtension: pathExtension)?.isPicture ?? (pathExtension == "bmp")
    }

    /// Whether this is the URL of a video in a format that can be downloaded, because browsers or video players play it.
    package var isVideoFile: Bool {
        MediaType(anyExtension: pathExtension)?.isPicture == false
    }

    /// Whether this is the URL of a film, of a type that can be downloaded or of another type.
    var isFilm: Bool { isVideoFile || ["mpg", "mpeg", "wmv", "avi"].contains(pathExtension) }

    /// The last two labels of the host, such as `youtube.com`, to compare with known sites: `co.uk` for `a.co.uk`.
    var domain: String { host.split(separator: ".").suffix(2).joined(separator: ".") }

    /// Returns the percent-encoded value of a field of the query, such as `3853` for `w` in `?w=3853&h=4070`.
    func value(of name: String) -> String? {
        let start = "\(name)=".utf8
        let items = query?.utf8.split(separator: UInt8(ascii: "&")) ?? []
        return items.first { $0.starts(with: start) }.map {
            String(Substring($0.dropFirst(start.count)))
        }
    }

    /// The path without slashes at its end; empty for `/`.
    var pathWithoutFinalSlashes: String {
        var path = path
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// Returns this URL with a component appended to its path, which must not end with a slash.
    func appending(_ component: String) -> WebURL { at("\(path)/\(component)", query: query) }

    /// Returns this URL with fields appended to its query, whose values are percent-encoded.
    func adding(_ fields: KeyValuePairs<String, String>) -> WebURL {
        let added = fields.map { "\($0)=\($1.percentEncoded())" }
        let present = (query ?? "").split(separator: "&").map(String.init)
        return at(path, query: (present + added).joined(separator: "&"))
    }
}

extension String {
    /// This absolute link, percent-encoded, for a page of the gallery; `nil` for other schemes, such as `javascript:`.
    ///
    /// It keeps the fragment, which ``WebURL`` drops, and is quick enough for tens of thousands of links.
    package var encodedWebLink: String? {
        let url = withSchemeOfHost
        return url.slashesAfterWebScheme == 2 ? url.urlEncoded : nil
    }

    /// The link with `https:` before `//host`.
    fileprivate var withSchemeOfHost: String { hasPrefix("//") ? "https:" + self : self }

    /// Whether one slash, or three and more, follow `http:` or `https:`, as in `http:///home/ada/a.html`.
    ///
    /// In such a link to a file on the author's disk, libcurl takes the folder for a host.
    fileprivate var lacksHost: Bool {
        guard let slashes = slashesAfterWebScheme else { return false }
        return ![0, 2].contains(slashes)
    }

    /// The number of slashes after `http:` or `https:`; `nil` for a link without such a scheme.
    private var slashesAfterWebScheme: Int? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = utf8[..<colon].lazy.map(\.lowercased)
        let isWeb = ["http", "https"].contains { scheme.elementsEqual($0.utf8) }
        guard isWeb else { return nil }
        return utf8[colon...].dropFirst().prefix { $0 == UInt8(ascii: "/") }.count
    }
}
