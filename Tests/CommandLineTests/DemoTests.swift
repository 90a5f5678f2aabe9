import APOD
import Glibc
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// `apod-mirror demo`, as somebody sees it who has just built the program.
    @Suite(.timeLimit(.minutes(2))) struct DemoTests {
        @Test func itLeavesAWholeMirrorAndCommandsThatWork() async throws {
            try await withTemporaryFolder { folder in
                let root = "\(folder)/a demo's"
                let demo = try await Program(
                    [Program.path, "demo", root], environment: ["HOME": folder]
                ).end()

                #expect(demo.code == 0, "\(demo)")
                let pictures = try TreeImage(of: root)
                #expect(
                    pictures.files.keys.count { $0.hasPrefix("thumbnails/") } >= 25, "\(demo)")
                let commands = demo.output.split(separator: "\n").map { $0.drop { $0 == " " } }
                    .filter { $0.contains("--root") }
                #expect(commands.count == 2)
                for command in commands {
                    let ending = try await Program(
                        ["bash", "-c", "cd / && \(command)"], environment: ["HOME": folder]
                    ).end()
                    #expect([0, 3].contains(ending.code) && ending.errors == "", "\(ending)")
                }
                let last = try #require(demo.output.split(separator: "\n").last)
                let removal = try #require(last.firstRange(of: "rm -r "))
                _ = try await Program(
                    ["bash", "-c", String(last[removal.lowerBound...])], environment: [:]
                ).end()
                #expect(try Directory(opening: folder).textNames().allSatisfy { $0.hasPrefix(".") })
            }
        }
    }
}
