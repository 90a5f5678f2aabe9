import APOD
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// `apod-mirror-simulator demo`, directly after the build.
    @Suite(.timeLimit(.minutes(10))) struct DemoTests {
        @Test func theDemoLeavesACompleteMirrorAndPrintsValidCommands() async throws {
            try await withTemporaryFolder { folder in
                let root = "\(folder)/a demo's"
                // Settings of the user's own mirror do not apply to the demo.
                let demo = try await Program(
                    [Program.simulator, "demo", root],
                    environment: ["HOME": folder, "APOD_MIRROR_SINCE": "2d"]
                ).end()

                #expect(demo.code == 0, "\(demo)")
                let pictures = try TreeImage(of: root)
                #expect(pictures.complete.count >= 28)
                #expect(
                    pictures.files.keys.count { $0.hasPrefix(Layout.thumbnails) } >= 25, "\(demo)")
                let favorites = try #require(try Directory(opening: root).folder("favorites"))
                let link = try #require(
                    favorites.textNames().first { $0.hasPrefix("my favorite.") })
                let target = try #require(favorites.target(of: link))
                #expect(link.split(separator: ".").last == target.split(separator: ".").last)
                #expect(
                    pictures.files.keys.contains { $0.hasPrefix(".apod-mirror/favorites/") },
                    "\(demo)")
                // The list of known mirrors does not contain the removed mirror.
                #expect(try Directory(opening: folder).textNames() == ["a demo's"])

                let lines = demo.output.split(separator: "\n").map { $0.drop { $0 == " " } }
                let commands = lines.filter { $0.contains("--root") }
                #expect(commands.count == 2)
                for command in commands {
                    let ending = try await Program(
                        ["bash", "-c", "cd / && \(command)"], environment: ["HOME": folder]
                    ).end()
                    #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                }
                let removal = try #require(lines.last?.firstRange(of: "rm -r "))
                _ = try await Program.run([
                    "bash", "-c", String(lines[lines.count - 1][removal.lowerBound...]),
                ])
                #expect(try Directory(opening: folder).textNames() == [])
            }
        }

        @Test func aNonEmptyDirectoryIsNotUsed() async throws {
            try await withSite { site in
                try site.write("mine", to: "apod/note.txt")

                let ending = try await Program.run([Program.simulator, "demo", site.root])

                #expect(ending.code == 1 && ending.errors.contains(site.root), "\(ending)")
                #expect(try Array(site.tree().files.keys) == ["note.txt"])
            }
        }

        /// During the first sync, and while the daemon runs.
        ///
        /// A shell sends the signal: on a busy machine, this process might read the line when the demo has already ended.
        @Test(arguments: zip(["INT", "TERM"], ["1. ", "   recorded in"]))
        func aSignalEndsTheDemoAndItsDaemon(signal: String, moment: String) async throws {
            try await withTemporaryFolder { folder in
                let root = "\(folder)/demo"

                // Its output ends when its child, which inherits it, has ended. Without -m, the shell would let it ignore SIGINT.
                let ending = try await Program.run([
                    "bash", "-mc",
                    """
                    coproc '\(Program.simulator)' demo '\(root)'
                    demo=$COPROC_PID
                    exec 3<&"${COPROC[0]}"
                    while IFS= read -r line <&3; do
                        case $line in '\(moment)'*) kill -\(signal) $demo ;; esac
                    done
                    wait $demo
                    """,
                ])

                #expect(ending.code == 128 + (signal == "INT" ? SIGINT : SIGTERM), "\(ending)")
                let processes = try await Program.run(["ps", "-eo", "pid,args"]).output
                #expect(!processes.contains(root), "\(processes)")
            }
        }
    }
}
