import Glibc
import Platform
import TestSupport

/// nginx with the files of a directory, and as a proxy of the simulator for the lists.
///
/// It serves HTTP/1.1 at one port, and HTTP/2 over TLS with a certificate of a test CA at another.
final class Nginx {
    enum Scheme: String, CaseIterable {
        case http, https
    }

    /// The certificates of the system and that of the test authority.
    let authorities: String
    private let ports: [Scheme: Int]
    private let server: Server
    private let process: pid_t

    /// The CA bundle of libcurl on Debian.
    private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    /// Starts nginx.
    ///
    /// - Parameters:
    ///   - bench: The parent of the directory for its configuration and certificates.
    ///   - pictures: The directory with the pictures of `server`.
    ///   - server: Answers all requests that are not for a picture.
    /// - Throws: ``Failure`` or `SystemError` if it does not start.
    init(_ bench: Workbench, pictures: String, server: Server) throws {
        let folder = try bench.directory("nginx").path
        self.server = server
        authorities = "\(folder)/authorities.pem"
        try Self.makeCertificates(in: folder, log: "\(bench.path)/log")
        ports = [.http: try freePort(), .https: try freePort()]
        let configuration = Self.configuration(folder, pictures, ports, server.origin)
        let file = try AtomicFile("nginx.conf", in: Directory(opening: folder))
        try file.write(Array(configuration.utf8))
        try file.publish(in: Directory(opening: folder), as: "nginx.conf")
        process = try spawn(
            ["nginx", "-p", folder, "-c", "\(folder)/nginx.conf"], environment: [],
            (input: nil, output: nil, error: 2))
        try bench.peer(
            "curl", "-q", "--silent", "--fail", "--retry", "50", "--retry-connrefused",
            "--retry-delay", "0", "--retry-max-time", "10", "--output", "/dev/null", feed(.http)
        ).measure()
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// The address of the feed.
    func feed(_ scheme: Scheme) -> String {
        origin(scheme) + server.feed.dropFirst(server.origin.count)
    }

    /// The address of each picture, and the name of its file.
    func pictures(_ scheme: Scheme) -> [(address: String, name: String)] {
        server.pictures.map {
            (origin(scheme) + $0.address.dropFirst(server.origin.count), $0.name)
        }
    }

    private func origin(_ scheme: Scheme) -> String {
        "\(scheme.rawValue)://127.0.0.1:\(ports[scheme] ?? 0)"
    }

    private static func configuration(
        _ folder: String, _ pictures: String, _ ports: [Scheme: Int], _ origin: String
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
                    listen 127.0.0.1:\(ports[.http] ?? 0);
                    listen 127.0.0.1:\(ports[.https] ?? 0) ssl http2;
                    ssl_certificate server.pem;
                    ssl_certificate_key server.key;
                    location ~ /([0-9]+\\.jpg)$ { alias \(pictures)/$1; types { image/jpeg jpg; } }
                    location / {
                        proxy_pass \(origin);
                        sub_filter "\(origin)" "$scheme://127.0.0.1:$server_port";
                        sub_filter_once off;
                        sub_filter_types *;
                    }
                }
            }
            """
    }

    private static func makeCertificates(in folder: String, log: String) throws {
        let script = """
            cd "$0"
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test -keyout ca.key -out ca.pem
            openssl req -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout server.key -out server.csr
            printf 'subjectAltName=IP:127.0.0.1\\n' > names
            openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
                -extfile names -out server.pem
            cat \(systemAuthorities) ca.pem > authorities.pem
            """
        try Command(["sh", "-ec", script, folder], log: log).measure()
    }

    /// `words` as a command of a process that trusts ``authorities``.
    func trusting(_ words: [String]) -> [String] {
        [
            "unshare", "--user", "--map-root-user", "--mount", "sh", "-ec",
            "mount --bind \(authorities) \(Self.systemAuthorities); exec \"$0\" \"$@\"",
        ] + words
    }
}
