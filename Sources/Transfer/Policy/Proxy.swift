internal import CCurl
internal import Glibc

/// A proxy that the environment names; see libcurl-env(3).
///
/// libcurl gets the result and ignores the environment: exactly if a proxy resolves the name, the
/// resolved address is not checked.
package struct Proxy: Hashable, Sendable {
    /// The scheme, the host and the port alone, because messages of libcurl may contain them.
    let address: String
    /// The user and the password as in a URL, with a colon between them; `nil` if there are none.
    let credentials: String?

    /// The schemes, and those with which the proxy resolves the names of hosts.
    private static let schemes = [
        "http": "http", "https": "https", "socks": "socks4a", "socks4": "socks4a",
        "socks4a": "socks4a", "socks5": "socks5h", "socks5h": "socks5h",
    ]

    /// Parses a URL without a path; without a scheme, it is that of a proxy for HTTP.
    init?(_ text: String) {
        let url = text.contains("://") ? text : "http://\(text)"
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let rest = url.hasSuffix("/") ? url[start...].dropLast() : url[start...]
        // In a password they end the host, and its rest would count as a path.
        guard !rest.contains(where: { "/\\?#".contains($0) }) else { return nil }
        guard let parser = try? URLParser(url),
            let scheme = Self.schemes[parser.part(CURLUPART_SCHEME) ?? ""]
        else { return nil }
        let user = parser.part(CURLUPART_USER)
        let password = parser.part(CURLUPART_PASSWORD)
        credentials = user == nil && password == nil ? nil : "\(user ?? ""):\(password ?? "")"
        parser.set(CURLUPART_SCHEME, to: scheme)
        parser.set(CURLUPART_USER, to: nil)
        parser.set(CURLUPART_PASSWORD, to: nil)
        // Without a port, libcurl uses another one than for URLs.
        address = parser.part(CURLUPART_URL) ?? ""
    }

    /// The proxy for `address`; `nil` for a direct connection.
    ///
    /// - Throws: ``TransferError/forbidden(address:reason:)`` if its variable is not a URL.
    static func named(
        for address: WebURL, in variable: (_ name: String) -> String?
    ) throws(TransferError) -> Proxy? {
        let exempt = firstSet(of: ["no_proxy", "NO_PROXY"], in: variable).flatMap(variable)
        guard !address.isLoopback, !isExempt(address.host, by: exempt ?? ""),
            let name = variableName(for: address.scheme, in: variable)
        else { return nil }
        guard let proxy = variable(name).flatMap({ Proxy($0) }) else {
            throw .forbidden(
                address: address.redacted, reason: "the proxy in \(name) is not a URL")
        }
        return proxy
    }

    /// The name of a variable with a proxy that is not a URL; `nil` if there is none.
    package static func invalidVariable(in variable: (_ name: String) -> String?) -> String? {
        ["https", "http"].compactMap { variableName(for: $0, in: variable) }
            .first { name in variable(name).flatMap { Proxy($0) } == nil }
    }

    /// Reads a variable of this process.
    @Sendable package static func environmentVariable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The name of the variable with the proxy for `scheme`.
    private static func variableName(
        for scheme: String, in variable: (_ name: String) -> String?
    ) -> String? {
        // HTTP_PROXY may be a header of a request in a CGI program; see CVE-2016-5385.
        let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
        return firstSet(of: names + ["all_proxy", "ALL_PROXY"], in: variable)
    }

    private static func firstSet(
        of names: [String], in variable: (_ name: String) -> String?
    ) -> String? {
        names.first { variable($0)?.isEmpty == false }
    }

    /// Whether `list` names the host, a domain that it is in, or a network.
    static func isExempt(_ host: String, by list: String) -> Bool {
        if list == "*" { return true }
        let ip = IPAddress(host)
        return list.lowercased().split { $0 == "," || $0.isWhitespace }.contains { entry in
            if let ip { return ip.isWithin(String(entry)) }
            let domain = String(entry.drop { $0 == "." }).withoutFinalDots
            return !domain.isEmpty && (host == domain || host.hasSuffix(".\(domain)"))
        }
    }
}
