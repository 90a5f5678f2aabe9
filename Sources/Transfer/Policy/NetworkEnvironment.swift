internal import Glibc
internal import Platform

/// What the environment says about the network: proxies, by the rules of libcurl-env(3), and whom to trust.
///
/// Proxies are read here, and CURLOPT_PROXY(3) names the one of a transfer: only then is it known whether the address of a
/// connection is that of the host, which ``AddressPolicy`` checks, or that of a proxy, which resolves the name itself.
package struct NetworkEnvironment: Hashable, Sendable {
    /// That of this process.
    package static let current = NetworkEnvironment { name in
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The file of certificate authorities to trust instead of those of the system, as for curl(1) and OpenSSL.
    let authorities: String?
    private let http: String?
    private let https: String?
    /// The hosts and networks that are reached without a proxy.
    private let exceptions: [String]

    /// - Parameter variable: Returns the value of a variable.
    package init(_ variable: (String) -> String?) {
        func first(_ names: String...) -> String? {
            names.compactMap(variable).first { !$0.isEmpty }
        }
        authorities = first("CURL_CA_BUNDLE", "SSL_CERT_FILE")
        // HTTP_PROXY may be a header of a request to a CGI program.
        http = first("http_proxy", "all_proxy", "ALL_PROXY")
        https = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
            .split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    /// The proxy for a request to `address`; `nil` if it goes to the host itself, as each to this machine does.
    func proxy(for address: WebURL) -> String? {
        let isException = address.isLoopback || exceptions.contains { covers($0, address) }
        return isException ? nil : address.scheme == "https" ? https : http
    }

    /// Whether `exception` is the host, a domain that it is in, a network of its address, or `*` for all.
    private func covers(_ exception: String, _ address: WebURL) -> Bool {
        if exception == "*" { return true }
        if let ip = address.ipAddress {
            return IPAddress(exception) == ip || IPAddress.Network(exception)?.contains(ip) == true
        }
        let domain = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
        return !domain.isEmpty && (address.host == domain || address.host.hasSuffix(".\(domain)"))
    }
}
