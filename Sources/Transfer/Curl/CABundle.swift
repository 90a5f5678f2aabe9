internal import CCurl
internal import Glibc

/// The certificate authorities that TLS connections trust.
enum CABundle {
    /// The bundle of certificates that this libcurl was built for, `nil` where there is none.
    static let path: String? = {
        guard let version = unsafe ccurl_version(),
            let name = unsafe version.pointee.cainfo, unsafe access(name, R_OK) == 0
        else { return nil }
        return unsafe String(cString: name)
    }()
}
