internal import Glibc
internal import Platform

/// The proxies and certificate authorities that the variables of the environment name, by the rules of libcurl-env(3).
///
/// libcurl could read the proxies itself. This program reads them, because it must know whether a connection goes to the
/// host, whose IP address ``AddressPolicy`` checks, or to a proxy, which resolves the name of the host.
package struct NetworkEnvironment: Hashable, Sendable {
    /// The environment of this process.
    package static let current = NetworkEnvironment { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The file of certificate authorities to trust instead of those of the system, as for curl(1) and OpenSSL.
    let authorities: String?
    /// The proxy for `http`, if any.
    private let httpProxy: String?
    /// The proxy for `https`, if any.
    private let httpsProxy: String?
    /// The hosts and networks that are reached without a proxy.
    private let exceptions: [String]

    /// - Parameter variable: Returns the value of a variable.
    package init(_ variable: (String) -> String?) {
        func first(_ names: String...) -> String? {
            names.compactMap(variable).first { !$0.isEmpty }
        }
        authorities = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
        // HTTP_PROXY is not read, because a client of a CGI program could set it by a header.
        httpProxy = first("http_proxy", "all_proxy", "ALL_PROXY")
        httpsProxy = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy for a request to `address`; `nil` if the request goes to the host itself, such as this machine.
    func proxy(for address: WebURL) -> String? {
        let isException = exceptions.contains { Self.isException($0, for: address) }
        if address.isLoopback || isException { return nil }
        return address.scheme == "https" ? httpsProxy : httpProxy
    }

    /// Whether `exception` is the host, its domain (`.nasa.gov` or `nasa.gov`), its network (`10.0.0.0/8`), or `*`.
    private static func isException(_ exception: String, for address: WebURL) -> Bool {
        if exception == "*" { return true }
        if let ip = address.ipAddress {
            return IPAddress(exception) == ip || IPAddress.Network(exception)?.contains(ip) == true
        }
        let domain = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
        return !domain.isEmpty && (address.host == domain || address.host.hasSuffix(".\(domain)"))
    }
}
