import APOD
import Glibc
import JSON
import Mirror
import Platform
import ProgramTesting
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// `wait`, with which scripts act on a new picture.
    @Suite(.timeLimit(.minutes(10))) struct WaitCommandTests {
        /// Starts `wait`, and returns when it receives all changes.
        private static func waiting(_ site: Site, _ options: String...) async throws -> Program {
            let program = try site.start(["wait", "--root", site.root] + options)
            try await program.errors.wait(for: "waiting for a picture")
            return program
        }

        @Test func waitReturnsWithTheNextPictureOfTheDaemon() async throws {
            try await withSite { site in
                let today = try #require(site.simulator.entry(of: Site.today))
                site.simulator.withdraw(Site.today)
                _ = try await site.mirror()
                let daemon = try site.start(["run", "--log-level", "debug"] + site.settings())
                // From then on a signal starts a sync.
                try await daemon.errors.wait(for: "next sync")
                let waiting = try await Self.waiting(site)
                site.simulator.publish(today)
                daemon.signal(SIGHUP)
                let ending = try await waiting.end()
                let tree = try site.tree()
                daemon.signal(SIGTERM)

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.output.hasPrefix("\(Site.today)  "), "\(ending)")
                let picture = try Directory(opening: site.root).target(of: "latest.jpg")
                #expect(picture?.contains("\(Site.today)") == true)
                #expect(tree.files[Layout.thumbnail(of: Site.today)] != nil)
                let page = String(decoding: tree.files["index.html"] ?? [], as: UTF8.self)
                #expect(page.contains("datetime=\"\(Site.today)\""))
                #expect(try await daemon.end().code == 0)
            }
        }

        @Test func waitPrintsTheRecordAndIgnoresEditsAndOtherFiles() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let program = try site.start([
                    "wait", "--root", site.root, "--json", "--timeout", "1d",
                ])
                try await program.watches()
                let root = try Directory(opening: site.root)
                func publish(_ json: JSON, as name: String = "latest.json") throws {
                    try AtomicFile.publish(
                        json.document, in: root, as: name,
                        through: root.makeDirectory(Layout.incoming))
                }
                let record = try #require(try root.read("latest.json"))
                let json = try JSON(parsing: record)
                try publish(json.with("title", "An edit"))
                try publish(json, as: "other.json")
                let next = json.with("date", .string("\(Site.today.advanced(by: 1))"))
                try publish(next)
                let ending = try await program.end()

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                #expect(try JSON(parsing: Array(ending.output.utf8)) == next)
            }
        }

        @Test func theFirstPictureOfAnEmptyMirrorIsNew() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let root = try Directory(opening: site.root)
                try root.rename("latest.json", to: root, as: ".apod-mirror/kept")
                let waiting = try await Self.waiting(site)
                try root.rename(".apod-mirror/kept", to: root, as: "latest.json")

                #expect(try await waiting.end().output.hasPrefix("\(Site.today)  "))
            }
        }

        @Test func waitEndsAfterTheTimeout() async throws {
            try await withSite { site in
                _ = try await site.mirror()

                let ending = try await site.read("wait", "--timeout", "0s")
                #expect(ending.code == 3 && ending.output == "", "\(ending)")
                for text in ["", "s", "1w", "-1s", "99999999999999999999d", "4000d"] {
                    let ending = try await site.read("wait", "--timeout", text)
                    #expect(ending.code == 2, "\(text): \(ending)")
                }
            }
        }

        @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
        func aSignalEndsWait(_ number: Int32) async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let waiting = try await Self.waiting(site)
                waiting.signal(number)

                #expect(try await waiting.end().code == 128 + number)
            }
        }

        @Test func waitEndsWhenTheDirectoryIsRemoved() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let waiting = try await Self.waiting(site)
                removeTree(site.root)

                #expect(try await waiting.end().code == 4)
            }
        }

        @Test func aUsersOwnLatestRecordIsAnError() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                try site.write("mine", to: "apod/latest.json")

                let ending = try await site.read("wait")
                #expect(ending.code == 1 && ending.errors.contains("latest.json"), "\(ending)")
            }
        }
    }
}

extension JSON {
    /// The object with `value` for `key`.
    fileprivate func with(_ key: String, _ value: JSON) -> JSON {
        .object(members.map { .init(key: $0.key, value: $0.key == key ? value : $0.value) })
    }
}

extension Program {
    /// Returns once the program waits for events of the kernel after its first read.
    fileprivate func watches() async throws {
        _ = try await polled { () throws -> Bool? in
            let folder = try Directory(opening: "/proc/\(pid)/fd")
            let targets = try folder.textNames().compactMap { folder.target(of: $0) }
            return targets.contains("anon_inode:inotify") ? true : nil
        }
    }
}
