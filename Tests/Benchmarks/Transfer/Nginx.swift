import Glibc
import Platform
import TestSupport

/// nginx with the files of a directory, and as a proxy of the simulator for the lists, over TLS and HTTP/2 like NASA.
final class Nginx {
    /// A file with the authorities of the system, as many as every program reads, and the certificate of this server.
    let authorities: String
    private let port: Int
    private let server: Server
    private let process: pid_t

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - bench: The parent of the directory for its configuration.
    ///   - pictures: The directory with the pictures of `server`.
    ///   - server: Answers all requests that are not for a picture.
    /// - Throws: ``Failure`` or `SystemError` if it does not start.
    init(_ bench: Workbench, pictures: String, server: Server) throws {
        let folder = try bench.directory("nginx").path
        self.server = server
        port = try freePort()
        authorities = try Self.makeCertificate(in: folder)
        let configuration = Self.configuration(folder, pictures, port, server.origin)
        let file = try AtomicFile("nginx.conf", in: Directory(opening: folder))
        try file.write(Array(configuration.utf8))
        try file.publish(in: Directory(opening: folder), as: "nginx.conf")
        process = try spawn(
            ["nginx", "-p", folder, "-c", "\(folder)/nginx.conf"], environment: [],
            (input: nil, output: nil, error: 2))
        try bench.peer(
            "curl", "-q", "--cacert", authorities, "--silent", "--fail", "--retry", "50",
            "--retry-connrefused",
            "--retry-delay", "0", "--retry-max-time", "10", "--output", "/dev/null", feed
        ).measure()
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// The address of the feed.
    var feed: String { origin + server.feed.dropFirst(server.origin.count) }

    /// The address of each picture, and the name of its file.
    var pictures: [(address: String, name: String)] {
        server.pictures.map { (origin + $0.address.dropFirst(server.origin.count), $0.name) }
    }

    private var origin: String { "https://127.0.0.1:\(port)" }

    /// Makes `certificate.pem` and `key.pem` in `folder`; returns the path of ``authorities``.
    private static func makeCertificate(in folder: String) throws -> String {
        let certificate = "\(folder)/certificate.pem"
        try Command(
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
                "-keyout", "\(folder)/key.pem", "-out", certificate,
            ], log: "\(folder)/openssl.log"
        ).measure()
        let files = try [certificate, "/etc/ssl/certs/ca-certificates.crt"].map { path in
            try FileDescriptor(opening: path, O_RDONLY).readToEnd(limit: 1 << 20, path: path)
        }
        let authorities = "\(folder)/authorities.pem"
        try FileDescriptor(opening: authorities, O_WRONLY | O_CREAT).write(
            files.flatMap(\.self), path: authorities)
        return authorities
    }

    private static func configuration(
        _ folder: String, _ pictures: String, _ port: Int, _ origin: String
    ) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/\($0);\n"
        }
        return """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log;
            events { worker_connections 512; }
            http {
                access_log off;
                sendfile on;
                \(temporary.joined())
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(folder)/certificate.pem;
                    ssl_certificate_key \(folder)/key.pem;
                    location ~ /([0-9]+\\.jpg)$ { alias \(pictures)/$1; types { image/jpeg jpg; } }
                    location / {
                        proxy_pass \(origin);
                        sub_filter "\(origin)" "https://127.0.0.1:\(port)";
                        sub_filter_once off;
                        sub_filter_types *;
                    }
                }
            }
            """
    }
}
