internal import CCurl
internal import Platform

/// An absolute URL, parsed by libcurl.
///
/// Feeds, policy and transfers must see the same host in a URL: ``text`` is a spelling that libcurl parses to itself, and
/// transfers request it. `HTTPS://NASA.gov:443/a b` becomes `https://nasa.gov/a%20b`.
package struct WebURL: Hashable, Sendable {
    /// The canonical spelling, without a fragment; percent-encoded, except for the host.
    package private(set) var text: String
    /// The scheme in lower case, such as `https`.
    package let scheme: String
    /// The host in lower case, decoded, without a dot at its end; `2130706433` is `127.0.0.1`.
    package let host: String
    /// The port, or the default port of the scheme; 0 if it has none.
    package let port: Int
    /// Whether it contains a user or a password.
    package let hasCredentials: Bool
    /// The path, percent-encoded; it begins with a slash.
    package private(set) var path: String
    /// The text after the question mark, percent-encoded.
    package private(set) var query: String?

    /// Parses an absolute `text`; relative to `base`, also a text such as `/a.jpg`.
    ///
    /// - Throws: ``TransferError/forbidden(address:reason:)`` if it is not a URL.
    package init(_ text: String, relativeTo base: WebURL? = nil) throws(TransferError) {
        // No URL contains one, and libcurl would take a NUL for the end of the text.
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .forbidden(
                address: text.redactedAddress, reason: "it contains a control character")
        }
        var spelling = try URLParser(text.urlEncoded, relativeTo: base?.text).spelling
        // Each round decodes one level of the host: `%31%32%37.1` becomes `127.1`, which becomes `127.0.0.1`. Only a URL that
        // is to deceive somebody needs more than these rounds.
        let maximumRounds = 4
        for _ in 0..<maximumRounds {
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

    /// The text without path and query, such as `https://host:8080`; unlike in RFC 6454, with a user if there is one.
    package var origin: String {
        var target = path
        // libcurl drops the question mark of an empty query.
        if let query { target += "?\(query)" }
        return String(decoding: text.utf8.dropLast(target.utf8.count), as: UTF8.self)
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

    /// The URL as errors and logs print it: without user, password and query.
    package var redacted: String { text.redactedAddress }

    /// Whether the scheme is `http` or `https`.
    package var isWeb: Bool { scheme == "https" || scheme == "http" }

    package var isNASA: Bool { host == "nasa.gov" || host.hasSuffix(".nasa.gov") }

    /// The host as a number; `nil` if it is a name.
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
    package init(stringLiteral text: String) {
        do {
            try self.init(text)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

/// A URL in libcurl's parser; see curl_url(3).
@safe private struct URLParser: ~Copyable {
    private let handle: OpaquePointer

    init(_ text: String, relativeTo base: String? = nil) throws(TransferError) {
        guard let handle = unsafe curl_url() else { fatalError("curl_url: out of memory") }
        unsafe self.handle = handle
        for text in [base, text].compactMap(\.self) {
            // Other schemes than http and https are parsed, too, so that the error can name them.
            let code = unsafe curl_url_set(
                handle, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
            guard code == CURLUE_OK else {
                let reason = unsafe String(cString: curl_url_strerror(code))
                throw .forbidden(
                    address: text.redactedAddress, reason: "it is not a URL: \(reason)")
            }
        }
        set(CURLUPART_FRAGMENT, to: nil)
        if let host = part(CURLUPART_HOST) {
            // A dot at the end makes a name absolute, but it is the same host.
            var plain = host.lowercased()
            while plain.hasSuffix("."), plain.count > 1 { plain.removeLast() }
            if plain != host { set(CURLUPART_HOST, to: plain) }
        }
    }

    deinit {
        unsafe curl_url_cleanup(handle)
    }

    /// Replaces a part; `nil` removes it.
    private func set(_ part: CURLUPart, to text: String?) {
        _ = unsafe curl_url_set(handle, part, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
    }

    /// The whole URL, whose host is decoded once.
    var spelling: String { part(CURLUPART_URL, CInt(CURLU_NO_DEFAULT_PORT)) ?? "" }

    /// A part of the URL, percent-encoded except for the host; `nil` if it is absent.
    func part(_ part: CURLUPart, _ flags: CInt = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}

extension String {
    /// The text with all bytes percent-encoded that RFC 3986 does not allow.
    package var urlEncoded: String { percentEncoded(keeping: "-._~:/?#[]@!$&'()*+,;=%") }

    /// The address for logs, errors and `status`, as an ``excerpt``: `https://host/a` for `https://me:secret@host/a?key=1`.
    ///
    /// The address need not be valid, because errors print rejected ones, too.
    package var redactedAddress: String {
        String(withoutUser.prefix { !"?#".contains($0) }).excerpt
    }

    /// The text without all that is before the last `@` of the host, even if a `?` in a password makes the URL invalid.
    private var withoutUser: String {
        let start = firstRange(of: "//")?.upperBound ?? startIndex
        let end = self[start...].firstIndex { $0 == "/" || $0 == "\\" } ?? endIndex
        guard let at = self[start..<end].lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }
}
