import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// A rejected command prints one sentence, has an exit code, and changes nothing.
    @Suite(.timeLimit(.minutes(10))) struct RefusalTests {
        // MARK: 1: limits of the process

        // MARK: 1 and 7: NASA

        enum FeedFault: CaseIterable {
            case html, placeholder, refusing, closed

            var code: Int32 { self == .html || self == .placeholder ? 1 : 7 }
        }

        @Test(arguments: FeedFault.allCases)
        func withoutAFeedTheMirrorIsNotChanged(fault: FeedFault) async throws {
            let settings = Simulator.Settings(sendsV1Placeholders: true)
            try await withSite(settings: settings) { site in
                _ = try await site.mirror(thumbnails: true)
                let before = try site.tree().published
                switch fault {
                case .html: site.simulator.inject(.html, on: .any, times: nil)
                case .placeholder: break
                case .refusing: site.simulator.inject(.refuse, on: .any, times: nil)
                case .closed: site.simulator.stop()
                }
                let v1 = ["--feed", "v1", "--upstream", site.simulator.v1Address]

                let words = ["run", "--once", "-q"] + site.settings()
                let ending = try await site.start(words + (fault == .placeholder ? v1 : [])).end()

                #expect(ending.code == fault.code, "\(ending)")
                #expect(ending.sentences.count == 1)
                #expect(ending.errors == ending.sentences[0] + "\n")
                #expect(ending.errors.contains(site.simulator.origin))
                #expect(ending.errors.contains("--upstream"))
                #expect(try site.tree().published == before)
            }
        }

        // MARK: 4: no mirror there

        @Test func aForeignDirectoryIsNotChanged() async throws {
            try await withSite { site in
                try site.write("mine", to: "apod/letters/2026.txt")
                let before = try site.tree()

                let ending = try await site.mirror()

                try expectRefusal(
                    ending, names: "it contains “letters”", "choose an empty directory")
                #expect(try site.tree() == before)
            }
        }

        @Test(arguments: [["status"], ["show", "latest"], ["search", "nebula"]])
        func readingCommandsRequireAMirror(words: [String]) async throws {
            try await withSite { site in
                let ending = try await site.start(words + ["--root", site.root]).end()

                try expectRefusal(ending, names: "/apod is not a mirror", "apod-mirror run")
                #expect(try TreeImage(of: site.folder).files == [:])
            }
        }

        @Test func noMirrorIsCreatedOnTheMountPointOfAnUnmountedDisk() async throws {
            try await withMirroredSite { site in
                let folder = try Directory(opening: site.folder)
                try folder.rename("apod", to: folder, as: "elsewhere")
                _ = try folder.makeDirectory("apod")

                for ending in [try await site.mirror(), try await site.mirror("-q")] {
                    try expectRefusal(
                        ending, names: "was a mirror", "mount its disk",
                        "mkdir -p \(site.root)/.apod-mirror")
                }
                #expect(try site.tree().files == [:])

                _ = try await site.shell("mkdir -p \(site.root)/.apod-mirror")
                #expect(try await site.mirror().code == 0)
                #expect(
                    try site.tree().published == site.tree("\(site.folder)/elsewhere").published)
            }
        }

        private func expectRefusal(_ ending: Ending, names: String...) throws {
            #expect(ending.code == 4, "\(ending)")
            #expect(ending.output == "")
            #expect(ending.sentences.count == 1)
            #expect(ending.errors == (ending.sentences.first ?? "") + "\n")
            for name in names { #expect(ending.errors.contains(name), "\(ending)") }
        }
    }
}
