import Glibc
import Platform
import TestSupport

/// nginx with the files of a directory, and as a proxy of the simulator for the lists.
final class Nginx {
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
        let configuration = Self.configuration(folder, pictures, port, server.origin)
        let file = try AtomicFile("nginx.conf", in: Directory(opening: folder))
        try file.write(Array(configuration.utf8))
        try file.publish(in: Directory(opening: folder), as: "nginx.conf")
        process = try spawn(
            ["nginx", "-p", folder, "-c", "\(folder)/nginx.conf"], environment: [],
            (input: nil, output: nil, error: 2))
        try bench.peer(
            "curl", "-q", "--silent", "--fail", "--retry", "50", "--retry-connrefused",
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

    private var origin: String { "http://127.0.0.1:\(port)" }

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
                    listen 127.0.0.1:\(port);
                    location ~ /([0-9]+\\.jpg)$ { alias \(pictures)/$1; types { image/jpeg jpg; } }
                    location / {
                        proxy_pass \(origin);
                        sub_filter "\(origin)" "http://127.0.0.1:\(port)";
                        sub_filter_once off;
                        sub_filter_types *;
                    }
                }
            }
            """
    }
}
