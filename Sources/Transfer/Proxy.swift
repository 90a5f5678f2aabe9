internal import Glibc

/// The proxies that the environment names, which libcurl goes through; see libcurl-env(3).
enum Proxy {
    static func isNamed(for scheme: String) -> Bool {
        let names = scheme == "http" ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]
        return (names + ["all_proxy", "ALL_PROXY"]).contains { name in
            guard let value = unsafe getenv(name) else { return false }
            return unsafe value.pointee != 0
        }
    }
}
