import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `run --keep`: the output of retention.
    @Suite(.timeLimit(.minutes(10))) struct KeepTests {
        /// Removes all that `--keep 8d` excludes from a mirror of ten days.
        private func shrink(_ site: Site) async throws {
            _ = try await site.mirror()
            _ = try await site.mirror("--keep", "8d")
        }

        @Test func statusShowsWhatIsKeptAndCountsNoRemovedDayAsMissing() async throws {
            try await withSite { site in
                try await shrink(site)

                let ending = try await site.read("status", "--json")
                let status = try ending.json
                #expect(ending.code == 0 && status["keep"] == "8d", "\(ending)")
                #expect(status["kept_from"]?.string == "\(Site.day(7))")
                #expect(status["removed"] == 2 && status["wanted"] == 8)
                #expect(status["missing"] == [])
                #expect(status["trash_bytes"] == 0)
                let text = try await site.read("status").output
                #expect(text.contains(/keep +8d \(from .*\), 2 days removed/))
            }
        }

        @Test func aDryRunPrintsThePlanAndChangesNothing() async throws {
            try await withMirroredSite { site in
                let before = try site.tree().files
                site.simulator.resetLog()

                let text = try await site.read("run", "--once", "--keep", "8d", "--dry-run")

                #expect(text.code == 0 && text.output.contains("\(Site.day(9))  "), "\(text)")
                #expect(text.output.contains("which are never removed: 1\n"), "\(text)")
                #expect(
                    text.output.contains("--keep 8d keeps 8 days from \(Site.day(7)); "), "\(text)")
                #expect(text.output.contains("2 days, "))
                #expect(text.output.hasSuffix(" at most 2 in 24 hours\n"), "\(text)")
                #expect(try site.tree().files == before && site.simulator.requests.isEmpty)
            }
        }

        /// As a reload or a restart of the service begins a sync.
        @Test func aDryRunAfterARemovalSaysWhatTheNextSyncRemoves() async throws {
            try await withMirroredSite { site in
                _ = try await site.mirror("--keep", "9d")
                for (keep, ending) in [("6d", "at most 1 of them"), ("5d", "none")] {
                    let text = try await site.read("run", "--once", "--keep", keep, "--dry-run")
                    #expect(
                        text.output.contains(
                            " at most 2 in 24 hours; a sync now removes \(ending), "), "\(text)")
                    let before = try site.tree().complete.count
                    _ = try await site.mirror("--keep", keep)
                    #expect(try site.tree().complete.count == before - (keep == "6d" ? 1 : 0))
                }
            }
        }

        /// A folder that its user may not write, such as that of a month which root restored.
        @Test(.enabled(if: mayBecomeOthers, "gives a mirror away"))
        func aRemovalThatFailsIsAFailure() async throws {
            try await withSite(days: 40) { site in
                #expect(try await site.mirror("--since", "40d").code == 0)
                let month = Layout.folder(Layout.pictures, of: Site.day(39))
                let given = try await site.shell(
                    """
                    cd "$APOD_MIRROR_ROOT" && chown -R 65534 . "$HOME" && chmod 755 .. . && chmod 555 '\(month)'
                    """)
                #expect(given.code == 0, "\(given)")
                let words = ["run", "--once"] + site.settings() + ["--thumbnails", "no"]

                let ending = try await site.end(
                    words + ["--since", "40d", "--keep", "39d"], asUser: 65534)

                #expect(ending.code == 1, "\(ending)")
                let sentence = "--keep cannot remove the day \(Site.day(39)): "
                #expect(ending.sentences.count { $0.contains(sentence) } == 1, "\(ending)")
            }
        }

        /// As on a failing disk, or with a quota that is used up: the folder of the record seems to be writable.
        @Test(
            .enabled(
                if: FaultShim.isPossible && Trace.isPossible, "needs a C compiler and strace(1)"),
            arguments: [(EIO, false), (EIO, true), (EDQUOT, false)])
        func aRemovalWhoseRecordCannotBePublishedIsTheLast(
            code: Int32, failsToFlush: Bool
        ) async throws {
            try await withMirroredSite { site in
                let pictures = try site.tree().pictures.count
                let shim = try await FaultShim(for: site)
                let renames = shim.renames(of: "????-??-??.json", code: code)
                // strace(1) lets the flush of a record fail that waits in `incoming/` for its publication.
                let waiting = (5...9).flatMap { age in
                    [
                        "-P",
                        "\(site.root)/\(Layout.incoming)/\(Layout.recordName(of: Site.day(age)))",
                    ]
                }
                let flushes = ["-e", "trace=fsync", "-e", "inject=fsync:error=EIO"] + waiting
                let strace =
                    ["strace", "-f", "-o", "/dev/null"] + (failsToFlush ? flushes : [])
                    + renames.flatMap { ["-E", "\($0)=\($1)"] }
                let words = ["run", "--once", "--thumbnails", "no", "--keep", "5d"]
                site.simulator.inject(.notFound, on: .media, times: nil)

                for _ in 1...3 {
                    let ending = try await site.command(
                        strace + [Program.path] + words + site.settings())
                    #expect(ending.code != 0 && !ending.sentences.isEmpty, "\(ending)")
                }
                #expect(try site.tree().pictures.count == pictures - 1)

                for day in 1...3 {
                    let clock = shim.clock(ahead: day * 86_400)
                    _ = try await site.mirror("--keep", "5d", environment: clock)
                }
                let status = try await site.read("status", "--json")
                #expect(status.code == 0, "\(status)")
                #expect(try status.json["removed"] == 5 && status.json["missing"] == [])
            }
        }

        @Test func favoritesAreKeptAndALimitBelowThemIsReported() async throws {
            try await withMirroredSite(days: 4) { site in
                _ = try await site.read("favorites", "add", "\(Site.day(3))", "\(Site.day(2))")

                let dry = try await site.read("run", "--once", "--keep", "1B", "--dry-run")
                let ending = try await site.mirror("--keep", "1B")
                _ = try await site.mirror("--keep", "1B")

                for run in [dry, ending] {
                    #expect((run.output + run.errors).contains("more than --keep 1B"), "\(run)")
                }
                #expect(try site.tree().complete == [Site.day(0), Site.day(2), Site.day(3)])
            }
        }

        @Test func galleryShowAndSearchIncludeARemovedDay() async throws {
            try await withSite { site in
                try site.simulator.edit(Site.day(9)) { $0.title = "Something Removed" }
                try await shrink(site)

                let shown = try await site.read("show", "\(Site.day(9))")
                #expect(shown.code == 0 && shown.output.contains("removed by --keep"), "\(shown)")
                let found = try await site.read("search", "something removed", "--json")
                let match = try found.json.elements.first
                #expect(match?["date"]?.string == "\(Site.day(9))" && match?["picture"] == .null)
                let tree = try site.tree()
                let page = try #require(tree.files["gallery/\("\(Site.day(9))".prefix(7)).html"])
                let html = String(decoding: page, as: UTF8.self)
                #expect(
                    html.contains("Something Removed") && html.contains("keeps the newest only"))
                for path in html.matches(of: /src="\.\.\/(pictures|thumbnails)\/([^"]+)"/) {
                    let bytes = "\(path.1)/\(path.2)".utf8.percentDecoded
                    let name = String(decoding: bytes, as: UTF8.self)
                    #expect(tree.files[name] != nil, "\(name)")
                }
            }
        }
    }
}
