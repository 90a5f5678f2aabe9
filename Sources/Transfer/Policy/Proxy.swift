internal import Glibc

/// The proxies that the environment names; see libcurl-env(3).
///
/// libcurl gets the result and ignores the environment: exactly if a proxy resolves the name, the
/// resolved address is not checked.
enum Proxy {
    /// The proxy for `address`; `nil` for a direct connection.
    static func address(for address: WebURL) -> String? {
        guard !address.isLoopback,
            !isExempt(address.host, by: variable(["no_proxy", "NO_PROXY"]) ?? "")
        else { return nil }
        // HTTP_PROXY may be a header of a request in a CGI program; see CVE-2016-5385.
        let names = address.scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
        return variable(names + ["all_proxy", "ALL_PROXY"])
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

    private static func variable(_ names: [String]) -> String? {
        for name in names {
            if let value = unsafe getenv(name), unsafe value.pointee != 0 {
                return unsafe String(cString: value)
            }
        }
        return nil
    }
}
