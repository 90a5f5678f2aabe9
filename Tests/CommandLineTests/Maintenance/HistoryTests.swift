import APOD
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// `apod-mirror history`: the revisions of a day, and the edits of all days.
    @Suite(.timeLimit(.minutes(10))) struct HistoryTests {
        private static let day = Site.day(2)

        /// A mirror of four days, one of which has another title, then another picture.
        private nonisolated(nonsending) func withEdits(
            _ body: nonisolated(nonsending) (Site) async throws -> Void
        ) async throws {
            try await withSite(days: 4) { site in
                _ = try await site.mirror("--since", "4d")
                var entry = try #require(site.simulator.entry(of: Self.day))
                entry.title = "Quite Another Title"
                site.simulator.publish(entry)
                _ = try await site.mirror("--since", "4d")
                entry.media = .picture(
                    SimulatedPicture(
                        name: "better.jpg", source: .drawn(Drawing(seed: 77, width: 64, height: 40))
                    )
                )
                site.simulator.publish(entry)
                _ = try await site.mirror("--since", "4d")
                try await body(site)
            }
        }

        private static func sha256(_ bytes: [UInt8]) -> String {
            var hash = SHA256()
            hash.update(bytes)
            return hash.hexDigest()
        }

        private func json(_ ending: Ending) throws -> JSON {
            #expect(ending.code == 0 && ending.errors == "", "\(ending)")
            return try ending.json
        }

        @Test func historyListsEachRevisionWithItsChangesAndFiles() async throws {
            try await withEdits { site in
                let ending = try await site.read("history", "\(Self.day)", "--json")
                let revisions = try json(ending)["revisions"]?.elements ?? []

                #expect(revisions.map { $0["revision"]?.integer } == [1, 2, 3])
                #expect(revisions.map { $0["current"]?.bool } == [false, false, true])
                let fields = revisions.map { revision in
                    (revision["changes"]?.elements ?? []).compactMap { $0["field"]?.string }
                }
                #expect(fields[0] == [] && fields[1].contains("title"))
                #expect(fields[2].contains("picture"))
                let title = revisions[1]["changes"]?.elements.first { $0["field"] == "title" }
                #expect(title?["after"]?.string == "Quite Another Title")
                let files = try site.tree().files
                var pictures: [String] = []
                for revision in revisions {
                    let path = try #require(revision["record"]?.string)
                    let record = try JSON(parsing: try #require(files[path]))
                    #expect(record["source"]?["revision"] == revision["revision"])
                    #expect(record["source"]?["fetched"] == revision["fetched"])
                    let picture = try #require(revision["files"]?.elements.first?.string)
                    let sha256 = try Self.sha256(#require(files[picture]))
                    #expect(record["picture"]?["sha256"]?.string == sha256)
                    pictures.append(picture)
                }
                #expect(pictures[0] == pictures[1] && pictures[1] != pictures[2])
            }
        }

        @Test func revisionsGoOnAfterTheRecordsWereLost() async throws {
            try await withEdits { site in
                removeTree("\(site.root)/\(Layout.metadata)")
                _ = try await site.mirror("--since", "4d")
                var entry = try #require(site.simulator.entry(of: Self.day))
                entry.title = "A Third Title"
                site.simulator.publish(entry)
                _ = try await site.mirror("--since", "4d")

                let ending = try await site.read("history", "\(Self.day)", "--json")

                let revisions = try json(ending)["revisions"]?.elements ?? []
                #expect(revisions.map { $0["revision"]?.integer } == [1, 2, 3, 4])
                let titles = revisions.map { revision in
                    revision["changes"]?.elements.first { $0["field"] == "title" }?["after"]?.string
                }
                #expect(titles == [nil, "Quite Another Title", nil, "A Third Title"])
            }
        }

        @Test func historyNamesWhatIsDamagedUpstreamAndWhatIsKept() async throws {
            try await withSite(days: 4) { site in
                for title in ["Kemble's Cascade", "Kembles Cascade", "Kemble’s Cascade"] {
                    var entry = try #require(site.simulator.entry(of: Self.day))
                    entry.title = title
                    site.simulator.publish(entry)
                    _ = try await site.mirror("--since", "4d")
                }

                let text = try await site.read("history", "\(Self.day)")

                let damage =
                    "damaged upstream: title: “Kemble's Cascade” is kept, not “Kembles Cascade”"
                #expect(text.output.contains(damage), "\(text)")
                #expect(text.output.contains("no longer damaged upstream: title"), "\(text)")
            }
        }

        @Test func historySinceListsTheDaysThatChangedLately() async throws {
            try await withEdits { site in
                let week = try json(try await site.read("history", "--since", "7d", "--json"))
                let all = try json(try await site.read("history", "--json"))
                let later = "\(Site.today.advanced(by: 2))"
                let future = try await site.read("history", "--since", later)

                #expect(week.elements.map { $0["date"]?.string } == ["\(Self.day)"])
                #expect(week == all)
                let revisions = week.elements.first?["revisions"]?.elements ?? []
                #expect(revisions.map { $0["revision"]?.integer } == [2, 3])
                #expect(future.code == 2, "\(future)")
                #expect(future.errors.contains("--since: \(later) is in the future"), "\(future)")
            }
        }

        @Test func foreignAndDamagedFilesInPreviousAreSkippedWithANote() async throws {
            try await withEdits { site in
                let folder = "apod/\(Layout.previous)"
                try site.write("not a record", to: "\(folder)/\(Self.day) r1 0.json")
                try site.write("{}", to: "\(folder)/\(Self.day) r2 0.json")
                try site.write("foreign", to: "\(folder)/notes.json")

                let ending = try await site.read("history", "\(Self.day)", "--json")

                let json = try ending.json
                #expect(ending.code == 0 && json["revisions"]?.elements.count == 3)
                #expect(ending.errors.split(separator: "\n").count == 2, "\(ending)")
            }
        }

        @Test func historyOfNoDayIsAnError() async throws {
            let unusable: [(words: [String], code: Int32)] = [
                (["whenever"], 2), (["1996-06-03"], 3), (["--since", "0d"], 2),
                (["--since", "soon"], 2), (["2026-11-20", "--since", "7d"], 2),
            ]
            try await withSite(days: 3) { site in
                _ = try await site.mirror()
                for (words, code) in unusable {
                    let ending = try await site.start(
                        ["history", "--root", site.root] + words
                    ).end()

                    #expect(ending.code == code && ending.output == "", "\(words): \(ending)")
                }
            }
        }
    }
}
