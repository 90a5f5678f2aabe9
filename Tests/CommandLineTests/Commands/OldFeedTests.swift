import APOD
import Mirror
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// What NASA's old API may answer after its end, for a mirror that is set to it.
    @Suite(.timeLimit(.minutes(10))) struct OldFeedTests {
        /// The answers; the redirect is to the new feed.
        static let answers: [Fault] = [
            .status(410, body: "Gone"), .redirect(to: "/wp-json/wp/v2/apod-basic"), .newFormat,
            .html, .placeholder, .logo, .status(500, body: "Internal Service Error"), .empty,
            .refuse,
        ]

        /// All days but one are here.
        @Test(arguments: answers)
        func nothingIsReplacedAndOneLineSaysWhatToDo(answer: Fault) async throws {
            try await withSite(days: 4) { site in
                let words =
                    ["run", "--once", "--root", site.root, "--since", "4d", "--thumbnails", "no"]
                    + ["--upstream", site.simulator.v1Address, "--pace", "0s", "--min-free", "0"]
                let missing = Site.day(2)
                site.simulator.inject(.notFound, on: .mediaOf(missing), times: nil)
                #expect(try await site.start(words).end().code == 3)
                let before = try site.tree()
                site.simulator.inject(answer, on: .path("/planetary/apod"), times: nil)

                let ending = try await site.start(words).end()

                let after = try site.tree()
                let days = before.files.filter { path, _ in
                    ["pictures/", "metadata/"].contains(where: path.hasPrefix)
                        && !path.contains("\(missing)")
                }
                #expect(days.count >= 6 && days.allSatisfy { after.files[$0.key] == $0.value })
                let lines = ending.errors.split(separator: "\n").filter { $0.contains("old API") }
                #expect(lines.count == 1, "\(ending)")
                #expect(lines.first?.contains("remove --upstream and --feed") == true)
                let status = try await site.read("status")
                #expect(status.output.contains("\nfeed        NASA ended its old API"), "\(status)")
            }
        }

        @Test func theDefaultFeedContinuesTheMirror() async throws {
            try await withSite { site in
                _ = try await site.mirror(
                    "--upstream", site.simulator.v1Address, "--feed", "v1", "--since", "5d")
                site.simulator.inject(
                    .status(410, body: "Gone"), on: .path("/planetary/apod"), times: nil)

                let ending = try await site.mirror()

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().complete.count == 10)
                let status = try await site.read("status")
                #expect(!status.output.contains("old API"))
            }
        }
    }
}
