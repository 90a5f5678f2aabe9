import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Testing

/// The configurations of web servers in docs/integrations.md, with these servers where they are installed.
@Suite(.timeLimit(.minutes(10))) struct WebServerTests {
    enum Server: String, CaseIterable {
        case nginx, caddy

        var program: String { self == .nginx ? "/usr/sbin/nginx" : "/usr/bin/caddy" }
    }

    private static let installed = Server.allCases.filter {
        unsafe access($0.program, X_OK) == 0 && access("/usr/bin/curl", X_OK) == 0
    }

    @Test(.enabled(if: !installed.isEmpty, "needs nginx or Caddy, and curl"), arguments: installed)
    func theDocumentedConfigurationAnswersAsNASAsAPIDid(_ server: Server) async throws {
        try await withSite { site in
            let ending = try await site.mirror("--base-url", "http://mirror/", "--sidecars")
            #expect(ending.code == 0, "\(ending)")
            let process = try await start(server, site)
            defer { process.signal(SIGKILL) }
            func answer(_ path: String) async throws -> String {
                let url = "http://mirror\(path)"
                return try await Program.run([
                    "curl", "-q", "-sSi", "--path-as-is", "--retry", "9", "--retry-connrefused",
                    "--unix-socket", "\(site.folder)/socket", url,
                ]).output.replacing("\r\n", with: "\n")
            }
            func text(_ name: String) throws -> String {
                let bytes = try Directory(opening: site.root).read("v1/\(name).json")
                return String(decoding: try #require(bytes), as: UTF8.self)
            }

            let day = Site.day(1)
            let days = [
                "?api_key=x": "apod", "": "apod", "?api_key=x&date=\(day)": "\(day)",
                "?date=\(day)&thumbs=true": "\(day)",
            ]
            for (query, name) in days {
                let answer = try await answer("/planetary/apod\(query)")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\n"))
                #expect(answer.lowercased().contains("\ncontent-type: application/json\n"))
                #expect(answer.lowercased().contains("\naccess-control-allow-origin: *\n"))
                #expect(try answer.hasSuffix("\n\n\(text(name))"))
            }
            let unknown = try await answer("/planetary/apod?date=1995-06-16")
            #expect(unknown.hasPrefix("HTTP/1.1 404 Not Found\n"))
            #expect(unknown.lowercased().contains("\naccess-control-allow-origin: *\n"))
            #expect(
                unknown.hasSuffix(
                    "\n\n{\"code\":404,\"msg\":\"No data available for date: 1995-06-16\",\"service_version\":\"v1\"}"
                ))
            for path in [
                "/planetary/apod?date=../latest", "/planetary/apod?date=%2e%2e/latest",
                "/planetary/apod?date=%22", "/.apod-mirror/mirror.json",
                "/favorites/\(Layout.favoritesHint.percentEncoded())",
            ] {
                #expect(try await answer(path).hasPrefix("HTTP/1.1 404 Not Found\n"), "\(path)")
            }
            // A picture that NASA replaced keeps its address.
            for path in ["/index.html", "/latest.jpg"] {
                let head = try await answer(path).lowercased()
                #expect(head.contains("\ncache-control: no-cache\n"), "\(path)")
            }
            #expect(try await answer("/index.html").contains("ontent-Type: text/html"))
            #expect(try await answer("/feed.rss").contains("<rss "))
            // The gallery has names of collections, which other web sites must not read.
            let shared = ["/v1/apod.json", "/v1/\(day).json", "/feed.rss", "/feed.xml"]
            let others = [
                "/", "/index.html", "/gallery/\("\(day)".prefix(7)).html",
                "/gallery/favorites.html",
                "/gallery/feed.html", "/latest.json", "/latest.jpg",
            ]
            for path in shared + others {
                let head = try await answer(path).lowercased()
                let isShared = shared.contains(path)
                #expect(!isShared || head.hasPrefix("http/1.1 200 ok\n"), "\(path)")
                #expect(head.contains("\naccess-control-allow-origin:") == isShared, "\(path)")
            }
            let sidecar = "/\(try site.picture(of: Site.today)).xmp".percentEncoded(
                keeping: "-._~/")
            let answerOfSidecar = try await answer(sidecar)
            #expect(
                answerOfSidecar.contains("200 OK\n")
                    && !answerOfSidecar.contains("application/json"), "\(answerOfSidecar)")
        }
    }

    /// Starts `server` with the configuration of the document, but for the path of the mirror, at a socket.
    private func start(_ server: Server, _ site: Site) async throws -> Program {
        let document = try Document("docs/integrations.md").text
        let (fence, socket) = ("```\(server.rawValue)\n", "\(site.folder)/socket")
        let start = try #require(document.firstRange(of: fence)).upperBound
        let block = try #require(document[start...].split(separator: "```\n").first)
            .replacing("/var/lib/apod-mirror", with: site.root)
        let words: [String]
        switch server {
        case .nginx:
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path \(site.folder)/\($0);"
            }
            try site.write(
                """
                daemon off; master_process off; pid \(site.folder)/pid; error_log \(site.folder)/log; events {}
                http { include /etc/nginx/mime.types; access_log off; \(temporary.joined())
                \(block.replacing("listen 8080", with: "listen unix:\(socket)")) }
                """, to: "server.conf")
            words = ["-c"]
        case .caddy:
            try site.write(
                """
                {
                admin off
                }
                \(block.replacing(":8080 {", with: "http:// {\nbind unix/\(socket)"))
                """, to: "server.conf")
            words = ["run", "--adapter", "caddyfile", "--config"]
        }
        let process = try Program(
            [server.program] + words + ["\(site.folder)/server.conf"],
            environment: ["HOME": site.folder])
        _ = try await polled {
            try Directory(opening: site.folder).status("socket")
        }
        return process
    }
}
