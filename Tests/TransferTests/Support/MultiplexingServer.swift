import Glibc
import Platform
import TestSupport
import Transfer

/// nginx(8) with HTTP/2 over TLS on a free port of 127.0.0.1; it ends with this value.
struct MultiplexingServer: ~Copyable {
    static let isAvailable =
        unsafe SecureServer.isAvailable && access("/usr/sbin/nginx", X_OK) == 0

    /// As `https://127.0.0.1:40123`.
    let origin: String
    private let certificate: String
    private let server: Child

    /// Starts a server that sends the files in `folder` by name.
    ///
    /// - Parameters:
    ///   - folder: Also contains the configuration and the certificate.
    ///   - locations: Additional configuration.
    ///   - isMultiplexing: Whether it speaks HTTP/2 besides HTTP/1.1.
    /// - Throws: `SystemError` if a program does not start.
    init(in folder: String, locations: String = "", isMultiplexing: Bool = true) throws {
        let files = try SecureServer.makeCertificate(for: "IP:127.0.0.1", in: folder)
        let port = try freePort()
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/\($0);"
        }
        let configuration = """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log /dev/stdout notice;
            events { }
            http {
                access_log off;
                \(temporary.joined(separator: "\n"))
                server {
                    listen 127.0.0.1:\(port) ssl\(isMultiplexing ? " http2" : "");
                    ssl_certificate \(files.certificate);
                    ssl_certificate_key \(files.key);
                    root \(folder);
                    location /status { stub_status; }
                    \(locations)
                }
            }
            """
        try Directory(opening: folder).open("nginx.conf", O_WRONLY | O_CREAT)
            .write(Array(configuration.utf8), path: "nginx.conf")
        server = try Child(
            "/usr/sbin/nginx", ["-e", "/dev/stdout", "-p", folder, "-c", "\(folder)/nginx.conf"])
        origin = "https://127.0.0.1:\(port)"
        certificate = files.certificate
        waitForNotice(from: server.output)
    }

    /// A client that trusts this server.
    func client(retry: RequestAttempts = .quick, limits: RequestLimits = .standard) -> Client {
        Client(
            agent: "test/1", policy: AddressPolicy(upstream: WebURL(stringLiteral: origin)),
            retry: retry, limits: limits, pace: .zero, width: 16, hosts: HostPauses(),
            environment: .trusting(certificate))
    }

    /// The number of connections so far.
    func connections(by client: Client) async throws -> Int {
        let status = try await client.get("\(origin)/status").body
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return lines.dropFirst(2).first?.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
}

extension Client {
    /// The contents of the file at `address`.
    func contents(
        of address: String, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> [UInt8] {
        let file = try FileDescriptor(inMemory: "download")
        _ = try await download(
            address, into: file, path: address, limit: 1 << 24, progress: progress)
        return try file.readToEnd(limit: 1 << 24, path: address)
    }
}

/// nginx reports its event method once it listens.
private func waitForNotice(from output: borrowing FileDescriptor) {
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 1024)
    while !text.contains("event method") {
        let count = unsafe read(output.rawValue, &bytes, bytes.count)
        guard count > 0 else { return }
        text += String(decoding: bytes[..<count], as: UTF8.self)
    }
}
