import Glibc
import Platform
import Transfer

/// openssl(1) as a server with a self-signed certificate; it ends with this value.
struct SecureServer: ~Copyable {
    static let isAvailable = unsafe access("/usr/bin/openssl", X_OK) == 0

    let port: Int
    /// The path of the certificate.
    let certificate: String
    private let server: Child

    /// Starts a server for `host` that stores its files in `folder` and sends them by name, as complete
    /// responses.
    ///
    /// Its certificate is valid for a day, or from and to the times of `period`, such as `20261120000000Z`.
    init(host: String, in folder: String, period: (start: String, end: String)? = nil) throws {
        let files = try Self.makeCertificate(for: host, in: folder)
        if let period { try Self.replaceCertificate(for: host, in: folder, period: period) }
        server = try Child(
            "/bin/sh",
            [
                "-c", "cd \"$0\" && exec openssl \"$@\"", folder, "s_server", "-accept",
                "127.0.0.1:0", "-cert", files.certificate, "-key", files.key, "-HTTP",
            ])
        certificate = files.certificate
        port = portAnnounced(by: server.output)
    }

    /// Signs the request for a certificate with that key anew: only `openssl ca` takes any times.
    private static func replaceCertificate(
        for host: String, in folder: String, period: (start: String, end: String)
    ) throws {
        let script = """
            cd "$0" && : >index.txt && echo 01 >serial && cat >ca.cnf <<END
            [ca]
            default_ca=x
            [x]
            database=index.txt
            serial=serial
            new_certs_dir=.
            default_md=sha256
            policy=p
            x509_extensions=e
            [p]
            [e]
            subjectAltName=$1
            END
            openssl req -new -key key.pem -subj "/CN=$1" -out request.pem
            openssl ca -batch -selfsign -config ca.cnf -keyfile key.pem -in request.pem \
            -out certificate.pem -startdate "$2" -enddate "$3" -notext 2>&1
            """
        let signing = try Child("/bin/sh", ["-c", script, folder, host, period.start, period.end])
        _ = try signing.output.readToEnd(limit: 1 << 16, path: "openssl ca")
    }

    /// Makes a certificate for `host`, such as `IP:127.0.0.1`, and its key; returns their paths.
    static func makeCertificate(
        for host: String, in folder: String
    ) throws -> (certificate: String, key: String) {
        let (certificate, key) = ("\(folder)/certificate.pem", "\(folder)/key.pem")
        let request = try Child(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
                "/CN=\(host)",
                "-addext", "subjectAltName=\(host)", "-keyout", key, "-out", certificate,
            ])
        _ = try request.output.readToEnd(limit: 1 << 16, path: "openssl req")
        return (certificate, key)
    }
}

extension NetworkEnvironment {
    /// One that names a file of certificate authorities; `nil` for none.
    static func trusting(_ certificate: String?) -> NetworkEnvironment {
        NetworkEnvironment { $0 == "SSL_CERT_FILE" ? certificate : nil }
    }
}

/// The port in the line `ACCEPT 127.0.0.1:40123`.
private func portAnnounced(by output: borrowing FileDescriptor) -> Int {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while unsafe read(output.rawValue, &byte, 1) == 1 {
        guard byte == UInt8(ascii: "\n") else {
            line.append(byte)
            continue
        }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("ACCEPT"), let port = text.split(separator: ":").last {
            return Int(port) ?? 0
        }
        line = []
    }
    return 0
}
