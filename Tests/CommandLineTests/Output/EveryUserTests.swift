import APOD
import Glibc
import Mirror
import Simulator
import Testing

extension WholeProgram {
    /// What commands print to users who may read the mirror and not write it.
    @Suite(.timeLimit(.minutes(10))) struct EveryUserTests {
        /// Runs a command as a user who owns nothing; nothing is hidden from root.
        private func strange(_ words: [String], _ site: Site) async throws -> Ending {
            let words = words + ["--root", site.root]
            return getuid() == 0
                ? try await site.end(words, asUser: 65534) : try await site.start(words).end()
        }

        /// The lines without times and the size of the disk, which change from one command to the next.
        private func lines(_ ending: Ending) -> [Substring] {
            ending.output.split(separator: "\n")
                .filter { !$0.hasPrefix("last sync") && !$0.hasPrefix("size") }
                // Its age, “47 minutes old”, may change between two commands.
                .map { $0.hasPrefix("newest") ? $0.prefix { $0 != "," } : $0 }
        }

        @Test func allUsersSeeTheSame() async throws {
            try await withSite { site in
                unsafe chmod(site.folder, 0o755)
                let missing = Site.day(4)
                site.simulator.withdraw(missing)
                _ = try await site.mirror()
                try site.editAll()
                _ = try await site.mirror()
                _ = try await site.read("favorites", "add", "\(Site.today)")
                _ = try await site.mirror()

                let commands = [
                    ["status"], ["status", "--missing"], ["show", "latest"], ["search", "a"],
                    ["verify", "--quick"], ["favorites", "list"],
                ]
                for words in commands {
                    let own = try await site.read(words)
                    let strange = try await strange(words, site)

                    #expect(own.code == strange.code, "\(words): \(own); \(strange)")
                    #expect(lines(own) == lines(strange), "\(words): \(own); \(strange)")
                    #expect(own.errors == strange.errors, "\(words): \(own); \(strange)")
                }
            }
        }

        /// What is unknown must be neither zero nor stale.
        @Test func aStateThatCannotBeReadIsNamedAndCountsNothing() async throws {
            try await withMirroredSite(days: 1) { site in
                unsafe chmod(site.folder, 0o755)
                #expect(unsafe chmod("\(site.root)/\(Layout.state)", 0) == 0)

                let status = try await strange(["status"], site)
                let metrics = try await strange(["status", "--metrics"], site)
                let run = try await strange(["run", "--once", "--dry-run"], site)

                for ending in [status, metrics, run] { #expect(ending.code == 1, "\(ending)") }
                #expect(status.output.contains("\ndays        unknown\n"), "\(status)")
                #expect(status.output.contains("\nunreadable  "), "\(status)")
                // An alert can fire.
                #expect(metrics.output.contains("apod_mirror_exit_code{root=\"\(site.root)\"} 1\n"))
                for name in ["missing", "wanted", "complete", "mirror_missing"] {
                    #expect(!metrics.output.contains("apod_mirror_\(name){"), "\(metrics)")
                }
                #expect(run.sentences.count == 1 && run.errors.contains("state.json"), "\(run)")
            }
        }
    }
}
