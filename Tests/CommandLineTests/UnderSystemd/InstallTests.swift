import APOD
import Platform
import TestSupport
import Testing

extension UnderSystemd {
    /// `make install` and `make uninstall`, where there is a release build already.
    @Suite(.timeLimit(.minutes(10))) struct InstallTests {
        private func make(_ words: String...) async throws -> Ending {
            // The programs are built already, and SwiftPM is busy with this test.
            let make = [
                "make", "--no-print-directory", "--directory", Machine.source, "SWIFT=true",
            ]
            let home = processEnvironment()["HOME"] ?? "/"
            return try await Program(make + words, environment: ["HOME": home]).end()
        }

        /// All names and types below `folder`.
        private func list(_ folder: String) async throws -> [Substring] {
            let find = ["find", folder, "-printf", "%M %P\\n"]
            return try await Program.run(find).output.split(separator: "\n")
                .sorted()
        }

        @Test func uninstallRemovesExactlyTheInstalledFiles() async throws {
            try await withTemporaryFolder { folder in
                let place = ["DESTDIR=\(folder)", "PREFIX=/opt/apod"]
                // Folders that others use too, and their files.
                let first = try await make("install", place[0], place[1])
                #expect(first.code == 0, "\(first)")
                let installed = try await list(folder)
                _ = try await make("uninstall", place[0], place[1])
                let folders = try await list(folder)
                #expect(folders.allSatisfy { $0.hasPrefix("d") }, "\(folders)")
                let bin = try Directory(opening: "\(folder)/opt/apod/bin")
                try bin.symlink("another", to: "/bin/true")
                let before = try await list(folder)

                let again = try await make("install", place[0], place[1])
                #expect(again.code == 0, "\(again)")
                #expect(Set(try await list(folder)) == Set(installed).union(before))
                let end = try await make("uninstall", place[0], place[1])

                #expect(end.code == 0, "\(end)")
                #expect(try await list(folder) == before)
            }
        }

        @Test func thePortableArchiveInstallsTheSameAndRemovesIt() async throws {
            try await withTemporaryFolder { folder in
                let place = ["DESTDIR=\(folder)/one", "PREFIX=/opt/apod"]
                #expect(try await make("install", place[0], place[1]).code == 0)
                #expect(try await make("portable", "PORTABLE=\(folder)/portable").code == 0)
                func install(_ arguments: String...) async throws -> Ending {
                    let script = ["\(folder)/portable/install.sh"]
                    let other = ["DESTDIR": "\(folder)/other", "PREFIX": "/opt/apod"]
                    return try await Program(script + arguments, environment: other).end()
                }

                // An upgrade too. The file of settings is installed beside it, as a package does.
                for _ in 1...2 {
                    let ending = try await install()
                    #expect(ending.code == 0, "\(ending)")
                    let settings = try await Program.run([
                        "diff", "\(folder)/other/etc/default/apod-mirror",
                        "\(folder)/one/opt/apod/share/apod-mirror/default",
                    ])
                    #expect(settings.code == 0, "\(settings)")
                    _ = try await Program.run(["rm", "-r", "\(folder)/other/etc"])
                    let compare = ["diff", "--recursive", "\(folder)/one", "\(folder)/other"]
                    let difference = try await Program.run(compare)
                    #expect(difference.code == 0, "\(difference)")
                    #expect(try await list("\(folder)/one") == list("\(folder)/other"))
                }

                let end = try await install("--uninstall")
                #expect(end.code == 0, "\(end)")
                let left = try await list("\(folder)/other").map {
                    $0.dropFirst("drwxr-xr-x ".count)
                }
                #expect(
                    left == ["", "opt", "opt/apod", "opt/apod/bin", "opt/apod/lib"]
                        + ["opt/apod/share", "opt/apod/share/man"])
            }
        }
    }
}
