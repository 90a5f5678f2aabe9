import APOD
import FoundationEssentials
import Mirror
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(1))) struct StatusTests {
        @Test func itTellsWhatIsHereAndWhatIsNot() async throws {
            try await withSite { site in
                let missing = Site.today.advanced(by: -4)
                site.simulator.withdraw(missing)
                _ = try await site.mirror()

                let ending = try await site.read("status", "--json")

                #expect(ending.code == 3 && ending.errors == "", "\(ending)")
                let status = try JSON(parsing: Array(ending.output.utf8))
                #expect(status["root"]?.string?.hasSuffix("/apod") == true)
                #expect(status["newest"]?.string == "\(Site.today)")
                #expect(try 0..<2 * 86_400 ~= #require(status["newest_age_seconds"]?.integer))
                #expect(status["wanted"]?.integer == 10 && status["complete"]?.integer == 9)
                #expect(status["last_success"]?.string?.hasSuffix("Z") == true)
                #expect(status["last_error"] == .null && status["running"] == .null)
                let bytes = try site.tree().published.files.filter { path, _ in
                    path.hasPrefix(Layout.pictures) || path.hasPrefix(Layout.metadata)
                }
                #expect(
                    try #require(status["bytes"]?.integer) >= bytes.values.map(\.count).reduce(0, +)
                )
                #expect(try #require(status["free_bytes"]?.integer) > 0)
                guard case .array(let days) = status["missing"] else {
                    Issue.record("missing is no list")
                    return
                }
                #expect(days.map { $0["date"]?.string } == ["\(missing)"])
                #expect(days[0]["reason"]?.string == "NASA has no entry for that day, or not yet")
                #expect(days[0]["attempts"]?.integer == 1)
                #expect(days[0]["next"]?.string?.hasSuffix("Z") == true)
            }
        }

        @Test func allIsWellWhereAllIsHere() async throws {
            try await withSite { site in
                _ = try await site.mirror()

                let ending = try await site.read("status")

                #expect(ending.code == 0)
                #expect(ending.output.contains("days        10 of 10 wanted (--since 10d)\n"))
                #expect(ending.output.contains("running     no\n"))
            }
        }

        @Test func theLastErrorIsRemembered() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                site.simulator.inject(.html, on: .lists, times: nil)
                _ = try await site.mirror()

                let status = try await site.read("status", "--json")

                let error = try JSON(parsing: Array(status.output.utf8))["last_error"]
                #expect(error?["message"]?.string?.contains("HTML") == true, "\(status)")
                #expect(error?["at"]?.string?.hasSuffix("Z") == true)
            }
        }

        @Test func aMirrorThatNeverReachedNASAIsNotWhole() async throws {
            try await withSite { site in
                site.simulator.stop()
                _ = try await site.mirror()

                let ending = try await site.read("status")

                #expect(ending.code == 3, "\(ending)")
                #expect(ending.output.contains("last look   never\n"))
            }
        }

        /// A mirror that NASA has been away from for a week.
        @Test func anOldMirrorIsStale() async throws {
            let archive = Archive.generated(
                newest: Site.today.advanced(by: -7), days: 10, size: (48, 32), extras: [])
            try await withSite(of: archive) { site in
                _ = try await site.mirror()
                let silent = try await site.read("status")
                let file = try #require(try site.tree().files[Layout.state])
                var state = SyncState(try JSON(parsing: file))
                state.lastSuccess? -= 2 * 86_400
                try site.write(
                    String(decoding: state.json.document, as: UTF8.self), to: "apod/\(Layout.state)"
                )

                let stale = try await site.read("status")

                #expect(silent.code == 0 && stale.code == 9, "\(silent); \(stale)")
            }
        }
    }
}
