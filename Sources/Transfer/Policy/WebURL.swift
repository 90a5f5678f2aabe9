internal import CCurl
internal import Platform

/// An absolute URL, parsed by libcurl.
///
/// Feeds, policy and transfers must parse a URL in the same way: ``text`` is a spelling that libcurl
/// parses to itself, and transfers request it.
package struct WebURL: Hashable, Sendable {
    /// The canonical spelling, without a fragment; percent-encoded, except for the host.
    package private(set) var text: String
    /// Lower case.
    package let scheme: String
    /// Lower case, decoded, without a dot at its end; number addresses in their usual form.
    package let host: String
    /// 0 where the scheme has none.
    package let port: Int
    /// Whether it contains a user or a password.
    package let hasCredentials: Bool
    /// Percent-encoded; begins with a slash.
    package private(set) var path: String
    /// The text after the question mark, percent-encoded.
    package private(set) var query: String?

    /// Parses `text`; with `base`, also what a `Location` header may contain.
    ///
    /// - Throws: ``TransferError/forbidden(address:reason:)`` if it is not a URL.
    package init(_ text: String, relativeTo base: WebURL? = nil) throws(TransferError) {
        // A URL has none; a NUL would end the text early for libcurl and not for others.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .forbidden(
                address: text.redactedAddress, reason: "it contains a control character")
        }
        var spelling = try URLParser(text.urlEncoded, relativeTo: base?.text).spelling
        // Each round decodes one level of the host: `%31%32%37.1` becomes `127.1`, and that `127.0.0.1`.
        for _ in 0..<4 {
            let parser = try URLParser(spelling)
            let next = parser.spelling
            guard next != spelling else {
                self.init(parser, spelling: spelling)
                return
            }
            spelling = next
        }
        throw .forbidden(address: text.redactedAddress, reason: "it can be read in several ways")
    }

    private init(_ parser: borrowing URLParser, spelling: String) {
        text = spelling
        scheme = parser.part(CURLUPART_SCHEME) ?? ""
        host = parser.part(CURLUPART_HOST) ?? ""
        port = parser.part(CURLUPART_PORT, CInt(CURLU_DEFAULT_PORT)).flatMap { Int($0) } ?? 0
        hasCredentials =
            parser.part(CURLUPART_USER) != nil || parser.part(CURLUPART_PASSWORD) != nil
        path = parser.part(CURLUPART_PATH) ?? "/"
        query = parser.part(CURLUPART_QUERY).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text without path and query, `https://host:8080`; unlike RFC 6454 with the user, if there is one.
    package var origin: String {
        // libcurl drops the question mark of an empty query.
        let target = path.utf8.count + (query.map { $0.utf8.count + 1 } ?? 0)
        return String(decoding: text.utf8.dropLast(target), as: UTF8.self)
    }

    /// Returns this URL with another path and another query.
    ///
    /// Both must be percent-encoded, and the path without `..`: they are not parsed again.
    package func at(_ path: String, query: String? = nil) -> WebURL {
        var url = self
        url.text = origin + path + (query.map { "?\($0)" } ?? "")
        url.path = path
        url.query = query
        return url
    }

    /// The URL as errors and logs show it.
    package var redacted: String { text.redactedAddress }

    /// Whether the scheme is `http` or `https`.
    package var isWeb: Bool { scheme == "https" || scheme == "http" }

    /// Whether the host belongs to NASA.
    package var isNASA: Bool { host == "nasa.gov" || host.hasSuffix(".nasa.gov") }

    /// The host as a number, `nil` where it is a name.
    var ipAddress: IPAddress? { IPAddress(host) }

    /// Whether the host is this machine, or a name that RFC 6761 reserves for it.
    var isLoopback: Bool {
        ipAddress?.isLoopback == true || host == "localhost" || host.hasSuffix(".localhost")
    }
}

extension WebURL: CustomStringConvertible {
    package var description: String { redacted }
}

extension WebURL: ExpressibleByStringLiteral {
    /// A constant of the program.
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension String {
    /// The text with all bytes percent-encoded that RFC 3986 does not allow.
    package var urlEncoded: String { percentEncoded(keeping: "-._~:/?#[]@!$&'()*+,;=%") }
}
