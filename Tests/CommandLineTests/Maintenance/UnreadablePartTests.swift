import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// What cannot be read or written is left out and named, with the remedy; everything else goes on.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: mayBecomeOthers, "gives a mirror away"))
    struct UnreadablePartTests {
        /// A user without an account, as in a container.
        private static let user = 54_321

        /// Gives the mirror to ``user``, and runs `commands` in it.
        private func give(_ site: Site, _ commands: String) async throws {
            let ending = try await site.shell(
                "chmod 755 .. . '\(site.folder)' && cd '\(site.root)' && \(commands)"
                    + " && chown -R \(Self.user) '\(site.root)'")
            #expect(ending.code == 0, "\(ending)")
        }

        private func run(_ site: Site, _ words: String...) async throws -> Ending {
            try await site.end(words + ["--root", site.root], asUser: Self.user)
        }

        private func sync(_ site: Site, _ options: String...) async throws -> Ending {
            let words = ["run", "--once"] + site.settings() + options + ["--thumbnails", "no"]
            return try await site.end(words, asUser: Self.user)
        }

        // MARK: Internal files

        @Test(arguments: [
            Layout.damaged, Layout.previous, Layout.favoriteStore,
            "\(Layout.favoriteStore)/folder.json", Layout.state, Layout.service, Layout.verify,
        ])
        func aReportNamesAnUnreadableInternalFileAndHasTheRest(path: String) async throws {
            try await withMirroredSite { site in
                #expect(try await site.read("favorites", "add", "\(Site.day(1))").code == 0)
                let folders = "mkdir -p \(Layout.damaged) \(Layout.previous)"
                let file = "test -e \(path) || touch \(path)"
                try await give(site, "\(folders) && { \(file); } && chmod 000 \(path)")

                let words = try await run(site, "status")
                let json = try await run(site, "status", "--json")
                let metrics = try await run(site, "status", "--metrics")
                let report = try await run(site, "status", "--report")
                let doctor = try await run(site, "doctor", "--offline")
                let show = try await run(site, "show", "latest")
                let verify = try await run(site, "verify")

                for ending in [words, json, metrics, report] {
                    #expect(ending.code == 1 && ending.errors == "", "\(ending)")
                }
                let line = try #require(
                    words.output.split(separator: "\n").first { $0.hasPrefix("unreadable  ") })
                #expect(line.contains("/\(path): Permission denied; give "), "\(words)")
                #expect(words.output.contains("\ntotal       10 days\n"), "\(words)")
                #expect(try json.json["unreadable"]?.elements.count == 1, "\(json)")
                #expect(try json.json["mirror"]?["complete"]?.integer == 10, "\(json)")
                #expect(doctor.code == 1, "\(doctor)")
                #expect(doctor.output.contains("/\(path): Permission denied\n"), "\(doctor)")
                #expect(doctor.output.contains("chmod -R u+rwX \(site.root)"), "\(doctor)")
                #expect(show.code == 0 && show.output.hasPrefix("\(Site.today)  "), "\(show)")
                let isForShow = [Layout.state, Layout.previous].contains(path)
                #expect(show.errors.contains("/\(path): ") == isForShow, "\(show)")
                let isNeeded = [Layout.state, Layout.favoriteStore].contains(path)
                #expect(verify.code == (isNeeded ? 8 : 0), "\(verify)")
                #expect(verify.output.contains("unreadable \(path): ") == isNeeded, "\(verify)")
                #expect(verify.output.contains("10 days verified"), "\(verify)")
            }
        }

        // MARK: Records

        /// The month of the record has not changed since its records were read.
        @Test func anUnreadableRecordIsNamedWithTheRemedy() async throws {
            try await withMirroredSite { site in
                let record = Layout.recordPath(of: Site.today)
                try await give(site, "chmod 000 \(record)")

                let once = try await sync(site)

                #expect(once.code == 1 && !once.errors.contains("ulimit"), "\(once)")
                #expect(once.errors.contains("\(record): Permission denied; give "), "\(once)")
            }
        }

        @Test func anUnreadableRecordDoesNotStopAnImport() async throws {
            try await withSource(days: 6) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }])
                _ = try await site.mirror()
                let lost = try site.picture(of: Site.day(2))
                let record = Layout.recordPath(of: Site.day(3))
                try await give(site, "rm '\(lost)' && chmod 000 \(record)")

                let ending = try await run(
                    site, "adopt", "\(site.folder)/source", "--json", "--offline")

                let report = try AdoptReport(ending)
                #expect(ending.code == 1, "\(ending)")
                #expect(report.adopted == [Site.day(2)] && report.failed == 1, "\(ending)")
                #expect(report.unrecognized.count == 1, "\(ending)")
                #expect(ending.output.contains("\(record): Permission denied"), "\(ending)")
                #expect(!ending.errors.contains("setfacl"), "\(ending)")
                #expect(try site.tree().pictures.contains(lost))
            }
        }

        @Test func aCommandNamesAUserWithoutAnAccountByItsNumber() async throws {
            try await withMirroredSite { site in
                _ = try await site.shell("mkdir -m 700 '\(site.folder)/source'")
                try await give(site, "true")

                let adopt = try await run(site, "adopt", "\(site.folder)/source")
                let doctor = try await site.end(
                    ["doctor", "--offline", "--root", site.root], asUser: Self.user + 1)

                #expect(adopt.errors.contains("-m u:\(Self.user):rX "), "\(adopt)")
                #expect(doctor.output.contains("sudo -u '#\(Self.user)' apod"), "\(doctor)")
            }
        }

        // MARK: The folder of a month

        @Test(arguments: ["chmod 555", "chmod 000"])
        func anUnwritableMonthKeepsNoOtherMonthAway(change: String) async throws {
            try await withSite(days: 40) { site in
                // The month has a mirrored day, and one that is missing, on every date.
                let isSameMonth = Month(of: Site.day(2)) == Month(of: Site.day(3))
                let mirrored = (0..<(isSameMonth ? 3 : 4)).map { Site.day($0) }
                _ = try await site.mirror("--since", "\(mirrored.count)d")
                let month = Layout.folder(Layout.pictures, of: Site.day(mirrored.count))
                try await give(site, "\(change) \(month)")

                let ending = try await sync(site, "--since", "40d")
                let status = try await run(site, "status", "--json")

                let others = (0..<40).map { Site.day($0) }.filter {
                    Layout.folder(Layout.pictures, of: $0) != month
                }
                #expect(Set(others).isSubset(of: try site.tree().complete), "\(ending)")
                let missing = try status.json["missing"]?.elements ?? []
                let reasons = missing.compactMap { $0["reason"]?.string }
                guard change == "chmod 555" else { return }
                #expect(!reasons.isEmpty, "\(status)")
                #expect(reasons.allSatisfy { $0.contains("chmod -R u+rwX ") }, "\(status)")
                let requested = site.simulator.requests.filter { $0.kind == .media }
                #expect(Set(requested.compactMap(\.day)).isSubset(of: others + mirrored))
            }
        }

        @Test(.enabled(if: mayMountInNamespace)) func aMountInPlaceOfAMonthIsNamed() async throws {
            try await withSite { site in
                _ = try await site.mirror("--since", "1d")
                let month = Layout.folder(Layout.pictures, of: Site.today)
                let record = Layout.recordPath(of: Site.today)
                let picture = try site.picture(of: Site.today)
                let settings = site.settings().joined(separator: " ")

                let ending = try await site.command([
                    "unshare", "-m", "sh", "-euc",
                    """
                    cd '\(site.root)'; rm '\(picture)' \(record)
                    mount -t tmpfs none \(month)
                    '\(Program.path)' run --once --thumbnails no \(settings) --since 1d || echo $?
                    '\(Program.path)' doctor --offline --root . || echo $?
                    """,
                ])

                let text = ending.output + ending.errors
                #expect(!text.contains("cross-device") && !text.contains("ulimit"), "\(ending)")
                #expect(ending.errors.contains("it is on another file system"))
                #expect(ending.errors.contains("unmount it"), "\(ending)")
                #expect(ending.output.contains("problem  write"), "\(ending)")
                #expect(site.simulator.requests.count { $0.kind == .media } == 1)
            }
        }

        @Test func aLinkInPlaceOfAMonthIsNotSaidToBeRepairable() async throws {
            try await withMirroredSite { site in
                let month = Layout.folder(Layout.pictures, of: Site.today)
                _ = try await site.shell(
                    "cd '\(site.root)' && mv \(month) elsewhere && ln -s ../../elsewhere \(month)")

                let ending = try await site.read("verify")

                #expect(ending.code == 8, "\(ending)")
                #expect(!ending.output.contains("repairs what"), "\(ending)")
                #expect(ending.output.contains("\(month): move the link or file away"), "\(ending)")
            }
        }

        // MARK: A full disk

        @Test(.enabled(if: DiskFullTests.mayMount))
        func aRepairOnAFullDiskListsWhatIsLeft() async throws {
            try await withMirroredSite { site in
                let copy = "\(site.folder)/copy"
                let upstream = site.upstream.joined(separator: " ")
                let ending = try await Program.run(
                    [
                        "unshare", "-Urm", "sh", "-c",
                        """
                        mkdir \(copy) && mount -t tmpfs -o size=16m none \(copy) && cp -a \(site.root)/. \(copy)/ || exit 99
                        truncate -s 3 '\(copy)/\(try site.picture(of: Site.day(2)))'
                        dd if=/dev/zero of=\(copy)/fill bs=4k 2>/dev/null
                        \(Program.path) verify --repair --root \(copy) \(upstream); echo $?
                        """,
                    ], environment: ["HOME": site.home])

                #expect(ending.output.hasSuffix("\n8\n"), "\(ending)")
                #expect(ending.output.contains("\nnot repaired: "), "\(ending)")
                #expect(ending.errors.contains("free disk space"), "\(ending)")
            }
        }
    }
}
