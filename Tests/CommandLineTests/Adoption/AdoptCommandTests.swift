import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Pictures that another program downloaded become those of a mirror.
    @Suite(.timeLimit(.minutes(10))) struct AdoptCommandTests {
        @Test func picturesNamedByDateAreImportedWithoutADownload() async throws {
            try await withSource(days: 10, extras: .unannouncedSizes) { site, whole in
                try site.export(
                    whole,
                    as: [
                        { "2026/\($0).jpg" }, { "apod-\(Self.digits($0)).JPG" },
                        { "APOD_\($0) Some Title.jpeg" }, { "ap\($0.compact).jpg" },
                        { "\(Self.digits($0))" },
                    ])
                let source = try site.traces("source")

                let ending = try await site.adopt()

                let tree = try site.tree()
                #expect(ending.code == 0, "\(ending)")
                #expect(try AdoptReport(ending).adopted == whole.complete)
                #expect(tree.withoutOrigins == whole.withoutOrigins && tree.damage == [])
                #expect(tree.incoming == [] && tree.adopted == [])
                #expect(site.media == 0)
                #expect(try site.traces("source") == source)
                #expect(try site.times().values.allSatisfy { $0 % 86_400 == 43_200 })

                let again = try await site.adopt()
                let run = try await site.mirror()

                let report = try AdoptReport(again)
                #expect(again.code == 0 && report.adopted == [] && report.present.count == 10)
                #expect(run.code == 0 && site.media == 0, "\(run)")
                #expect(try site.tree().withoutOrigins == whole.withoutOrigins)
            }
        }

        /// The daemon asks the API again afterwards.
        @Test func whileTheAPIFailsEntriesComeByTheRSSFeed() async throws {
            try await withSource(days: 10) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }])
                site.simulator.inject(.html, on: .route(.api), times: nil)

                let ending = try await site.adopt()
                let route = try site.record(of: Site.today)?["source"]?["route"]
                site.simulator.clearFaults()
                let run = try await site.mirror()

                #expect(ending.code == 0 && run.code == 0, "\(ending) \(run)")
                #expect(try AdoptReport(ending).adopted == whole.complete)
                #expect(route == "rss" && site.media == 0)
                #expect(try site.record(of: Site.today)?["source"]?["route"] == nil)
            }
        }

        /// The damage that an imported picture has repaired is recorded there.
        @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"), arguments: [true, false])
        func allIsImportedThoughTheRecordOfDamageCannotBeRead(isOnline: Bool) async throws {
            try await withSource(days: 3) { site, whole in
                #expect(try await site.mirror("--since", "1d").code == 0)
                try site.export(whole, as: [{ "\($0).jpg" }])
                let shim = try await FaultShim(for: site)
                let record = "\(site.root)/\(Layout.verify)"
                if !isOnline { site.simulator.inject(.notFound, on: .any, times: nil) }

                let ending = try await site.start(
                    ["adopt", "\(site.folder)/source", "--root", site.root, "--json"]
                        + site.upstream, environment: shim.reads(of: record, code: EIO)
                ).end()

                #expect(ending.code == (isOnline ? 1 : 7), "\(ending)")
                #expect(try AdoptReport(ending).adopted.count == 2, "\(ending)")
                let sentence = "cannot verify damaged days: "
                #expect(ending.sentences.count { $0.contains(sentence) } == 1, "\(ending)")
                #expect(ending.errors.contains("\(record): "), "\(ending)")
            }
        }

        @Test func aDryRunChangesNothing() async throws {
            try await withSource(days: 6) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }])

                let fresh = try await site.adopt("--dry-run")

                #expect(try AdoptReport(fresh).adopted == whole.complete, "\(fresh)")
                #expect(try Directory(opening: site.folder).status("apod") == nil)
                _ = try await site.mirror("--since", "2d")
                let before = try site.tree()
                site.simulator.resetLog()
                let other = try await site.adopt("--dry-run")
                #expect(try AdoptReport(other).adopted.count == 4, "\(other)")
                #expect(try site.tree() == before && site.simulator.requests.isEmpty)
            }
        }

        @Test(.enabled(if: mayBecomeOthers, "gives a mirror away"))
        func filesUnreadableForTheOwnerAreReportedWithThatUser() async throws {
            try await withSource(days: 3) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }])
                _ = try await site.mirror("--since", "1d")
                let (source, owner) = ("\(site.folder)/source", Account.name(ofUser: 65534))
                let commands = [
                    "chmod 755 '\(site.folder)'; chown -R 65534 '\(site.root)'; chmod 600 '\(source)'/*.jpg",
                    "chmod 700 '\(source)'",
                ]
                for command in commands {
                    #expect(try await Program.run(["sh", "-c", command]).code == 0)

                    let ending = try await site.end(
                        ["adopt", source, "--root", site.root, "--offline"], asUser: 65534)

                    #expect(ending.code == 1, "\(ending)")
                    #expect(ending.errors.contains("reads as \(owner)"), "\(ending)")
                }
            }
        }

        @Test func daysBeforeSinceAreRecordedAndStay() async throws {
            try await withSource(days: 40) { site, whole in
                let old = Site.day(35)
                try site.export(whole, as: [{ "\($0).jpg" }]) { $0 == old }

                let ending = try await site.adopt("--offline")
                let waiting = try site.tree()
                let run = try await site.mirror()

                #expect(ending.code == 0 && waiting.adopted.count == 1, "\(ending)")
                #expect(waiting.complete == [])
                #expect(run.code == 0, "\(run)")
                let tree = try site.tree()
                #expect(tree.complete.contains(old) && tree.complete.count == 11)
                let requested = site.simulator.requests.filter { $0.kind == .media }.compactMap(
                    \.day)
                #expect(!requested.contains(old) && tree.adopted == [])
            }
        }

        @Test func badFilesAreReportedAndNotImported() async throws {
            try await withSource(days: 4) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }]) { $0 == Site.today }
                let bytes = try #require(whole.pictures.first.flatMap { whole.files[$0] })
                let day = Site.day(2)
                try site.write(Array(bytes.prefix(bytes.count / 2)), to: "source/a/\(day).jpg")
                try site.write("<!DOCTYPE html><p>Sign in", to: "source/b/\(day).jpg")
                try site.write("", to: "source/c/\(day).jpg")
                try site.write("text", to: "source/\(day).txt")
                try site.write("{}", to: "source/\(day).json")
                for name in [
                    ".hidden/\(day).jpg", "#recycle/\(day).jpg", "thumbnails/\(day).jpg",
                    "thumb-\(day).jpg", "\(day)_SMALL.JPG", "05-06-2020.jpg", "2020-02-30.jpg",
                    "1995-06-17.jpg", "2090-06-17.jpg", "whatever.jpg", "IMG_20200506_121212.jpg",
                ] {
                    try site.write(bytes, to: "source/\(name)")
                }
                let source = "\(site.folder)/source"
                _ = unsafe symlink("\(source)/whatever.jpg", "\(source)/2020-01-01.jpg")
                _ = unsafe symlink("..", "\(source)/loop")
                _ = unsafe mkfifo("\(source)/2020-01-02.jpg", 0o644)
                _ = unsafe mkdir("\(source)/2020-01-03.jpg", 0o755)
                let odd: [CChar] =
                    Array("\(source)/2020-01-04 ".utf8CString.dropLast()) + [-1, -2, 0]
                let file = unsafe open(odd, O_WRONLY | O_CREAT, 0o644)
                close(file)

                let ending = try await site.adopt()

                let report = try AdoptReport(ending)
                #expect(ending.code == 0 && report.adopted == [Site.today], "\(ending)")
                #expect(report.unrecognized.count == 14, "\(report.unrecognized)")
                #expect(report.failed == 0)
                #expect(try site.tree().complete == [Site.today])
            }
        }

        /// Programs for NASA's old API have saved it for each day since September 2026.
        @Test(arguments: ["", "--dry-run"])
        func aLogoThatWasSavedForSeveralDaysIsNotImported(option: String) async throws {
            try await withSource(days: 5) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }]) { $0 == Site.day(4) }
                let logo = Self.png(500, 500)
                for number in 0...3 { try site.write(logo, to: "source/\(Site.day(number)).png") }
                // NASA repeats a real picture years later.
                let repeated = Self.png(2000, 1500)
                for year in [2010, 2014, 2018] {
                    try site.write(repeated, to: "source/\(year)-05-05.png")
                }

                let ending = try await site.start(
                    ["adopt", "\(site.folder)/source", "--root", site.root, "--json", "--offline"]
                        + (option.isEmpty ? [] : [option])
                ).end()

                let report = try AdoptReport(ending)
                #expect(ending.code == 0, "\(ending)")
                let years = [2010, 2014, 2018].compactMap { Day(iso: "\($0)-05-05") }
                #expect(report.adopted == Set(years + [Site.day(4)]), "\(ending)")
                let reason = "the same picture as that of 3 other days, so probably NASA's logo"
                #expect(
                    Set(report.unrecognized)
                        == Set((0...3).map { "\(Site.day($0)).png: \(reason)" }))
            }
        }

        /// The picture of another day that is smaller than NASA announces is replaced; a larger one stays,
        /// and NASA's address is not recorded for it.
        @Test func aPictureFromElsewhereHasNoAddressOfNASA() async throws {
            try await withSource(days: 3) { site, whole in
                let drawn = try #require(whole.pictures.last.flatMap { whole.files[$0] })
                let original = try #require(
                    whole.records[Layout.recordPath(of: Site.today)]?["picture"])
                let width = try #require(original["width"]?.integer)
                let height = try #require(original["height"]?.integer)
                try site.write(
                    Self.png(UInt32(width * 5), UInt32(height * 5)), to: "source/\(Site.today).png")
                try site.write(drawn, to: "source/\(Site.day(1)).jpg")

                let ending = try await site.adopt()
                #expect(ending.code == 0, "\(ending)")
                #expect(try site.record(of: Site.today)?["picture"]?["origin"]?.string == "")
                site.simulator.resetLog()
                for _ in 0..<2 {
                    let run = try await site.mirror("--since", "2d")
                    #expect(run.code == 0, "\(run)")
                }
                #expect(
                    !site.simulator.requests.contains { $0.kind == .media && $0.day == Site.today })
                #expect(try site.record(of: Site.today)?["picture"]?["origin"]?.string == "")
            }
        }

        /// A photo of a person, named by the day when it was taken.
        @Test func photosOfAPersonAreNotPublished() async throws {
            try await withSource(days: 40) { site, whole in
                let old = Site.day(38)
                try site.write(Self.png(6000, 2000), to: "source/\(old) Our Holiday.png")
                try site.write(Self.png(6000, 2000), to: "source/\(Site.today)/IMG_1234.png")

                let ending = try await site.adopt()

                let report = try AdoptReport(ending)
                #expect(report.adopted == [] && report.unrecognized.count == 2, "\(ending)")
                let aside = "\(Layout.aside)/\(old).png"
                let reason = try #require(report.unrecognized.last)
                #expect(reason.contains("\(old) Our Holiday.png: its shape "))
                #expect(reason.contains(aside))
                let tree = try site.tree()
                #expect(tree.files[aside] == Self.png(6000, 2000))
                #expect(tree.adopted == [] && tree.complete.contains(old))
                #expect(tree.pictures.allSatisfy { whole.files[$0] == tree.files[$0] })
                #expect(site.media == 1)
            }
        }

        /// Each is named once, also by the sync that follows an import without NASA.
        @Test(arguments: [true, false])
        func whatTheSyncDoesNotUseIsNotCountedAsAdopted(isOffline: Bool) async throws {
            try await withSource(days: 40) { site, _ in
                let (old, aside) = (Site.day(38), "\(Layout.aside)/\(Site.day(38)).png")
                try site.write(Self.png(6000, 2000), to: "source/\(old).png")
                let words = ["adopt", "\(site.folder)/source", "--root", site.root] + site.upstream

                let ending = try await site.start(words + (isOffline ? ["--offline"] : [])).end()

                #expect(ending.code == 0, "\(ending)")
                guard isOffline else {
                    #expect(ending.output.contains("\nunrecognized: \(old).png: its shape "))
                    #expect(ending.output.contains(aside), "\(ending)")
                    let totals = "\nadopted: 0 (0 B), already there: 0, unrecognized: 1,"
                    #expect(ending.output.contains(totals), "\(ending)")
                    return
                }
                #expect(ending.output.contains("unless its shape "), "\(ending)")
                let runs = [try await site.mirror(), try await site.mirror()]
                #expect(runs.map { $0.code } == [0, 0], "\(runs)")
                let lines = runs.map { run in
                    run.errors.split(separator: "\n").count { $0.contains(aside) }
                }
                #expect(lines == [1, 0], "\(runs)")
            }
        }

        /// Today has its picture, and the two days before have lost theirs.
        ///
        /// A rerun has the bytes of another day, and of two pictures of a day the larger file is taken.
        @Test func recordsDecideWhichPicturesAreImported() async throws {
            try await withSource(days: 3) { site, whole in
                _ = try await site.mirror("--since", "3d")
                let (other, missing, present) = (
                    whole.pictures[0], whole.pictures[1], whole.pictures[2]
                )
                let root = try Directory(opening: site.root)
                for path in [other, missing] { try root.remove(path) }
                let bytes = [other, missing, present].map { whole.files[$0] ?? [] }
                let (rerun, double) = (Site.day(61), Site.day(62))
                try site.write(bytes[0] + [0], to: "source/\(Site.day(2)).jpg")
                try site.write(bytes[1], to: "source/image/2611/Name_1024.jpg")
                try site.write(bytes[2] + [0], to: "source/\(Site.today).jpg")
                try site.write(bytes[2], to: "source/\(rerun).jpg")
                try site.write(Self.png(100, 50), to: "source/\(double).png")
                try site.write(bytes[2] + [0, 0], to: "source/large/\(double).jpg")
                site.simulator.resetLog()

                let preview = try AdoptReport(try await site.adopt("--offline", "--dry-run"))
                let report = try AdoptReport(try await site.adopt("--offline"))

                #expect(report.adopted == [Site.day(1), rerun, double])
                #expect(preview.adopted == report.adopted)
                #expect(report.present == [Site.today] && report.differing == 1)
                #expect(report.unrecognized.count == 2, "\(report.unrecognized)")
                let files = try site.tree().files
                #expect(files[other] == nil && files[missing] == bytes[1])
                #expect(files[present] == bytes[2] && site.simulator.requests.isEmpty)
                #expect(try site.times()[missing] == Site.day(1).noon)
            }
        }

        /// Nobody should delete the other mirror without them.
        @Test func theFavoritesOfAnotherMirrorAreNamedWithTheCommandThatAddsThem() async throws {
            try await withSource(days: 3) { site, _ in
                let (source, old) = ("\(site.folder)/source", "\(site.folder)/source/old")
                #expect(unsafe rename("\(site.folder)/whole", old) == 0)
                func adopt() async throws -> Ending {
                    try await site.end("adopt", source, "--root", site.root, "--dry-run")
                }
                let without = try await adopt()
                _ = try await site.end("favorites", "add", "\(Site.day(1))", "--root", old)

                let ending = try await adopt()

                #expect(ending.code == 0 && without.code == 0, "\(ending)")
                #expect(!without.output.contains("favorites"), "\(without)")
                let command =
                    "“apod-mirror favorites list --json --root \(old) | jq -r '.favorites[].date'"
                    + " | xargs apod-mirror favorites add --root \(site.root)”"
                #expect(ending.output.contains(command), "\(ending)")
            }
        }

        @Test func directoriesThatContainEachOtherAreRefused() async throws {
            try await withSource(days: 2) { site, _ in
                _ = try await site.mirror("--since", "2d")
                let paths = ["/apod", "/apod/pictures", "/."].map { site.folder + $0 }
                for path in paths + ["/"] {
                    let ending = try await site.end("adopt", path, "--root", site.root, "--dry-run")
                    #expect(ending.code == 2, "\(path): \(ending)")
                }
                // A folder of pictures that would become the mirror: “run” refuses it, too.
                let source = "\(site.folder)/source"
                let own = try await site.end("adopt", source, "--root", source)
                #expect(own.code == 2 && own.errors.contains("another --root"), "\(own)")
                #expect(!own.errors.contains("apod-mirror run"), "\(own)")
                let missing = try await site.end("adopt", "/nowhere", "--root", site.root)
                #expect(missing.code == 1, "\(missing)")
            }
        }

        @Test func aFullDiskEndsAnAdoptionThatCanContinue() async throws {
            try await withSource(days: 3) { site, whole in
                try site.export(whole, as: [{ "\($0).jpg" }])

                let full = try await site.adopt("--min-free", "1000000TB")
                let half = try site.tree()
                let again = try await site.adopt()

                #expect(full.code == 6, "\(full)")
                #expect(half.adopted == [] && half.complete == [])
                #expect(again.code == 0, "\(again)")
                #expect(try site.tree().withoutOrigins == whole.withoutOrigins)
            }
        }

        /// The header and the end of a PNG.
        private static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
            func bigEndian(_ value: UInt32) -> [UInt8] {
                [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
            }
            return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + bigEndian(13)
                + Array("IHDR".utf8) + bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
                + bigEndian(0) + bigEndian(0) + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82]
        }

        private static func digits(_ day: Day) -> String {
            "\(day)".replacing("-", with: "")
        }
    }
}
