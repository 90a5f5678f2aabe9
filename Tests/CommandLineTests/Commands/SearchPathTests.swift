import APOD
import Testing

extension WholeProgram {
    /// The pictures that `search` passes to other programs.
    @Suite(.timeLimit(.minutes(10))) struct SearchPathTests {
        private func picture(of day: Day, in site: Site) throws -> String {
            "\(site.root)/\(try site.picture(of: day))"
        }

        @Test func aRecordThatNamesAnotherFileHasNoPath() async throws {
            try await withMirroredSite(days: 3) { site in
                let own = try site.picture(of: Site.today)
                try site.rewriteRecord {
                    $0.replacing(own, with: "../home/\(Site.today) x.desktop")
                }

                let found = try await site.read("search", "the", "--path")

                #expect(found.code == 0 && !found.output.contains(".desktop"), "\(found)")
            }
        }

        @Test func searchPrintsPaths() async throws {
            try await withMirroredSite(days: 3) { site in
                let lines = try await site.read("search", "the", "--path")
                let nulls = try await site.read("search", "the", "-0", "--path")
                let both = try await site.read("search", "the", "--path", "--json")

                let days = try await site.read("search", "the").output
                    .split(separator: "\n").compactMap { Day(iso: String($0.prefix(10))) }
                let paths = try days.map { try picture(of: $0, in: site) }
                #expect(!paths.isEmpty)
                #expect(lines.output == paths.map { $0 + "\n" }.joined())
                #expect(nulls.output == paths.map { $0 + "\0" }.joined())
                #expect(both.code == 2)
            }
        }
    }
}
