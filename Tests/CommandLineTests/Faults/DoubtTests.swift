import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// What cannot be read is neither damaged nor missing: nothing is replaced, moved or deleted by it.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct DoubtTests {
        /// A disk that fails, and a file that is denied; `SystemErrorCauseTests` has the other errors of these two causes.
        static let codes = [EIO, EACCES]

        // MARK: Verification

        @Test(arguments: codes)
        func aDiskThatFailsDuringARepairMovesAndDownloadsNothing(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let before = try site.tree().treasure
                site.simulator.resetLog()

                let ending = try await site.start(
                    ["verify", "--repair", "--root", site.root] + site.upstream,
                    environment: shim.reads(of: "\(site.root)/pictures/", code: code)
                ).end()

                #expect(ending.code == 8, "\(ending)")
                #expect(ending.output.contains("unreadable"), "\(ending)")
                #expect(try site.tree().treasure == before)
                #expect(site.simulator.requests.filter { $0.kind == .media } == [])
                let later = try await site.start(
                    ["verify", "--repair", "--root", site.root] + site.upstream
                ).end()
                #expect(later.code == 0 && later.output.contains("nothing is damaged"), "\(later)")
                #expect(try await site.read("status").code == 0)
            }
        }

        /// The daily slice follows the first sync; the disk returns while the daemon runs.
        @Test func aDiskThatFailsForAWhileBesideTheDaemonChangesNothing() async throws {
            try await withMirroredSite { site in
                try Directory(opening: site.root).remove(Layout.verify)
                let shim = try await FaultShim(for: site)
                try site.write("", to: "gate")
                let before = try site.tree().treasure
                site.simulator.resetLog()
                let gate = "\(site.folder)/gate"
                let daemon = try site.start(
                    ["run", "--thumbnails", "no"] + site.settings(),
                    environment: shim.reads(
                        of: "\(site.root)/pictures/", code: ESTALE, while: gate))
                try await daemon.errors.wait(for: "unreadable: ")
                #expect(try await site.read("status").code == 8)

                try Directory(opening: site.folder).remove("gate")
                daemon.signal(SIGHUP)
                try await daemon.errors.wait(for: "readable again: ")
                let ending = try await daemon.stop()

                #expect(ending.code == 0, "\(ending)")
                // Not before: the daemon may not have updated the views again yet.
                #expect(try await site.read("status").code == 0)
                #expect(try site.tree().treasure == before)
                #expect(site.simulator.requests.filter { $0.kind == .media } == [])
            }
        }

        /// The page beside the poster of a video; each of the calls that read it fails once, then all do.
        @Test(arguments: codes)
        func thePageOfADayStaysWithItsRecordWhicheverReadsFail(code: Int32) async throws {
            try await withSite { site in
                let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
                let player = "https://www.youtube.com/embed/M6-iC_aYcug?rel=0"
                site.simulator.publish(
                    SimulatedEntry(
                        day: Site.day(2), title: "A Flight", explanationHTML: "Up, up.",
                        media: .iframe(src: player, poster: poster)))
                #expect(try await site.mirror().code == 0)
                let shim = try await FaultShim(for: site)
                let page = try #require(
                    try site.record(of: Site.day(2))?["video"]?["page"]?.string)
                let before = try site.tree().treasure

                var (number, count) = (1, 1 as Int?)
                repeat {
                    let ending = try await site.mirror(
                        environment: shim.reads(
                            of: "\(site.root)/\(page)", code: code, from: number, count: count))
                    #expect(try site.tree().treasure == before, "\(number): \(ending)")
                    guard count != nil else { break }
                    (number, count) = shim.calls.count < number ? (1, nil) : (number + 1, 1)
                } while number < 100
                #expect(try await site.mirror().code == 0)
                #expect(try site.tree().treasure == before)
            }
        }

        @Test(arguments: codes)
        func aPageThatCannotBeReadKeepsNoEditAway(code: Int32) async throws {
            try await withSite { site in
                let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
                let player = "https://www.youtube.com/embed/M6-iC_aYcug?rel=0"
                site.simulator.publish(
                    SimulatedEntry(
                        day: Site.day(2), title: "A Flight", explanationHTML: "Up, up.",
                        media: .iframe(src: player, poster: poster)))
                #expect(try await site.mirror().code == 0)
                let shim = try await FaultShim(for: site)
                let page = try #require(
                    try site.record(of: Site.day(2))?["video"]?["page"]?.string)
                let before = try site.tree().files[page]
                try site.simulator.edit(Site.day(2)) { $0.title = "Another Flight" }

                let ending = try await site.mirror(
                    environment: shim.reads(of: "\(site.root)/\(page)", code: code))

                let record = try site.record(of: Site.day(2))
                #expect(record?["title"]?.string == "Another Flight", "\(ending)")
                #expect(record?["video"]?["page"]?.string == page)
                #expect(try site.tree().files[page] == before)
            }
        }

        /// Each call fails once, and all from each on.
        @Test(arguments: [1, nil] as [Int?])
        func anAdoptedPictureIsPublishedOrReportedWhicheverReadsFail(count: Int?) async throws {
            try await withSite(days: 3) { site in
                #expect(try await site.mirror("--since", "1d").code == 0)
                let shim = try await FaultShim(for: site)
                let picture = try site.picture(of: Site.today)
                let bytes = try Directory(opening: site.root).read(picture) ?? []
                try site.write(bytes, to: "mine/\(Site.day(2)).jpg")
                try site.copy("apod", to: "before")

                var number = 0
                repeat {
                    number += 1
                    let code = Self.codes[number % Self.codes.count]
                    try site.copy("before", to: "apod")
                    site.simulator.resetLog()
                    let adopted = "\(site.root)/\(Layout.adopted)"
                    let ending = try await site.start(
                        ["adopt", "--root", site.root, "\(site.folder)/mine"] + site.upstream,
                        environment: shim.reads(of: adopted, code: code, from: number, count: count)
                    ).end()
                    let tree = try site.tree()
                    let aside = tree.files.keys.filter { $0.hasPrefix(Layout.aside) }
                    #expect(aside.isEmpty, "\(number): \(ending)")
                    let isPublished = tree.records[Layout.recordPath(of: Site.day(2))] != nil
                    #expect(ending.code != 0 || isPublished, "\(number): \(ending)")
                    let downloads = site.simulator.requests.filter { $0.kind == .media }
                    #expect(downloads.isEmpty, "\(number): \(ending)")
                } while shim.calls.count >= number && number < 100
                #expect(number > 2)
            }
        }

        /// The folder cannot be opened, cannot be listed, or none of its names can be examined.
        @Test(arguments: codes, ["", "/", "/2"])
        func newDaysComeThoughAdoptedPicturesCannotBeRead(code: Int32, end: String) async throws {
            try await withSite(days: 12) { site in
                #expect(try await site.mirror("--since", "1d").code == 0)
                let shim = try await FaultShim(for: site)
                try site.write("mine", to: "apod/\(Layout.adopted)/\(Site.day(11)).jpg")
                let adopted = "\(site.root)/\(Layout.adopted)"

                let ending = try await site.mirror(
                    environment: shim.reads(of: adopted + end, code: code))

                #expect(ending.code != 0 && ending.errors.contains(adopted), "\(ending)")
                #expect(try site.tree().complete == Set((0..<10).map { Site.day($0) }))
                #expect(try site.tree().files["\(Layout.adopted)/\(Site.day(11)).jpg"] != nil)
            }
        }

        @Test(arguments: codes)
        func newDaysComeThoughTheFolderOfReplacedPicturesCannotBeRead(code: Int32) async throws {
            try await withSite { site in
                #expect(try await site.mirror("--since", "1d").code == 0)
                let shim = try await FaultShim(for: site)
                let previous = "\(site.root)/\(Layout.previous)"
                try site.write("mine", to: "apod/\(Layout.previous)/mine")

                let ending = try await site.mirror(
                    environment: shim.reads(of: previous, code: code))

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().complete == Set((0..<10).map { Site.day($0) }))
            }
        }

        @Test(arguments: codes)
        func anAdoptedPictureThatCannotBeReadHoldsNoOther(code: Int32) async throws {
            try await withSite(days: 12) { site in
                #expect(try await site.mirror().code == 0)
                let shim = try await FaultShim(for: site)
                let picture = try site.picture(of: Site.day(2))
                let bytes = try Directory(opening: site.root).read(picture) ?? []
                for age in [10, 11] {
                    try site.write(bytes, to: "apod/\(Layout.adopted)/\(Site.day(age)).jpg")
                }
                site.simulator.resetLog()
                let unreadable = "\(Layout.adopted)/\(Site.day(10)).jpg"

                let ending = try await site.mirror(
                    environment: shim.reads(of: unreadable, code: code))

                #expect(ending.code != 0 && ending.errors.contains(unreadable), "\(ending)")
                #expect(try site.record(of: Site.day(11)) != nil, "\(ending)")
                #expect(try site.record(of: Site.day(10)) == nil, "\(ending)")
                #expect(try await site.mirror().code == 0)
                #expect(try site.record(of: Site.day(10)) != nil)
                #expect(site.simulator.requests.filter { $0.kind == .media } == [])
            }
        }

        @Test(arguments: [true, false])
        func aPictureThatIsWholeInDamagedReturnsThoughNASAHasItNoMore(
            isRepair: Bool
        ) async throws {
            try await withMirroredSite { site in
                let path = try site.picture(of: Site.day(2))
                let whole = try site.tree().treasure
                let root = try Directory(opening: site.root)
                let damaged = try root.makeDirectory(Layout.damaged)
                let (above, name) = Layout.split(path)
                try #require(try root.folder(above)).rename(name, to: damaged, as: name)
                site.simulator.inject(.notFound, on: .media, times: nil)

                let ending =
                    isRepair
                    ? try await site.start(
                        ["verify", "--repair", "--root", site.root] + site.upstream
                    ).end() : try await site.mirror()

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().treasure == whole)
                #expect(try damaged.names().isEmpty)
                let requests = site.simulator.requests.filter { $0.kind == .media }
                #expect(requests.count { $0.day == Site.day(2) } == 1)
            }
        }

        @Test(arguments: [true, false])
        func aLostRecordIsFoundAndMadeAgain(losesAll: Bool) async throws {
            try await withMirroredSite { site in
                let before = try site.tree()
                let lost = losesAll ? Layout.metadata : Layout.recordPath(of: Site.day(3))
                _ = try await site.shell("rm -r \"$APOD_MIRROR_ROOT/\(lost)\"")

                let verify = try await site.read("verify")
                #expect(verify.code == 8, "\(verify)")
                let count = losesAll ? 10 : 1
                #expect(verify.output.contains(": \(count) missing"), "\(verify)")
                #expect(verify.output.contains(Layout.recordPath(of: Site.day(3))), "\(verify)")
                let repair = try await site.start(
                    ["verify", "--repair", "--root", site.root] + site.upstream
                ).end()

                #expect(repair.code == 0, "\(repair)")
                #expect(try site.tree().records.keys == before.records.keys)
                #expect(try site.tree().pictures == before.pictures)
                #expect(try await site.read("verify").code == 0)
            }
        }

        /// A person may put one there; `state.json` says that the mirror has none of that day.
        @Test func thePictureOfAMissingDayIsNoLostRecord() async throws {
            try await withSite { site in
                site.simulator.withdraw(Site.day(3))
                _ = try await site.mirror()
                let folder = Layout.folder(Layout.pictures, of: Site.day(3))
                try site.write("mine", to: "apod/\(folder)/\(Site.day(3)) mine.jpg")

                let verify = try await site.read("verify")

                #expect(verify.output.contains("nothing is damaged"), "\(verify)")
            }
        }

        /// The oldest day has a video and its poster.
        @Test func aDayThatRetentionRemovedHasNoFileWhicheverReadIsDenied() async throws {
            try await withSite { site in
                try site.addVideo()
                let options = ["run", "--once", "--thumbnails", "no"] + site.settings()
                let words = options + ["--since", "3d", "--videos", "--keep"]
                #expect(try await site.start(words + ["3d"]).end().code == 0)
                let shim = try await FaultShim(for: site)
                let file = "\(Layout.folder(Layout.pictures, of: Site.day(2)))/\(Site.day(2)) "
                try #require(try site.tree().pictures.count { $0.hasPrefix(file) } == 2)
                try site.copy("apod", to: "before")

                var number = 0
                repeat {
                    number += 1
                    try site.copy("before", to: "apod")
                    let ending = try await site.start(
                        words + ["2d"],
                        environment: shim.reads(
                            of: "\(site.root)/\(file)", code: EACCES, from: number, count: 1)
                    ).end()
                    let later = try await site.start(words + ["2d"]).end()

                    #expect(later.code == 0, "\(number): \(later)")
                    let left = try site.tree().pictures.filter { $0.hasPrefix(file) }
                    #expect(left.isEmpty, "\(number): \(ending)")
                } while shim.calls.count >= number && number < 100
                #expect(number > 2)
            }
        }

        // MARK: Records and states

        /// A file that a person may delete: the repair needs nothing in it, and the remedy names that.
        @Test(arguments: codes)
        func aRepairNeedsNoListOfEarlierDamage(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                #expect(try await site.read("verify").code == 0)
                let whole = try site.tree().published
                try site.write("not to be replaced", to: "apod/\(Layout.verify)")
                for age in [1, 2] {
                    try await site.damage("truncate -s 0", try site.picture(of: Site.day(age)))
                }

                let ending = try await site.start(
                    ["verify", "--repair", "--root", site.root] + site.upstream,
                    environment: shim.reads(of: "\(site.root)/\(Layout.verify)", code: code)
                ).end()

                #expect(ending.code == 1, "\(ending)")
                #expect(ending.errors.contains("or delete this file"), "\(ending)")
                #expect(try site.tree().published.files == whole.files)
                let list = try Directory(opening: site.root).read(Layout.verify)
                #expect(list == Array("not to be replaced".utf8))
            }
        }

        /// Whether the daemon is publishing a lost record cannot be read: the record counts as unreadable, and all else is verified.
        @Test(arguments: codes)
        func verifyGoesOnIfNobodyCanTellWhetherARecordIsStaged(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let record = Layout.recordPath(of: Site.day(1))
                try Directory(opening: site.root).remove(record)
                try await site.damage("truncate -s 0", try site.picture(of: Site.day(2)))

                let ending = try await site.start(
                    ["verify", "--root", site.root],
                    environment: shim.reads(
                        of: "\(Layout.incoming)/\(Layout.recordName(of: Site.day(1)))", code: code)
                ).end()

                #expect(ending.code == 8, "\(ending)")
                #expect(ending.output.contains("unreadable \(record)"), "\(ending)")
                #expect(ending.output.contains(try site.picture(of: Site.day(2))), "\(ending)")
            }
        }

        @Test func theDaemonVerifiesWithoutItsListOfEarlierDamage() async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                try site.write("not to be replaced", to: "apod/\(Layout.verify)")
                // The oldest day is verified first.
                let picture = try site.picture(of: Site.day(9))
                let whole = try site.tree().files[picture]
                _ = try await site.shell(
                    "cd \"$APOD_MIRROR_ROOT\" && dd if=/dev/zero of='\(picture)' bs=1 count=9 conv=notrunc"
                )
                let daemon = try site.start(
                    ["run", "--thumbnails", "no"] + site.settings(),
                    environment: shim.reads(of: "\(site.root)/\(Layout.verify)", code: EIO))

                try await daemon.errors.wait(for: "cannot record the verification: ")
                try await daemon.errors.wait(for: "repaired: \(picture)")
                #expect(try await daemon.stop().code == 0)

                #expect(try site.tree().files[picture] == whole)
                let list = try Directory(opening: site.root).read(Layout.verify)
                #expect(list == Array("not to be replaced".utf8))
            }
        }

        /// It is only a memory of the last sync.
        @Test(arguments: codes)
        func withoutTheStateDaysComeAndDamageIsRepaired(code: Int32) async throws {
            try await withSite { site in
                #expect(try await site.mirror("--since", "3d").code == 0)
                let shim = try await FaultShim(for: site)
                let state = "\(site.root)/\(Layout.state)"
                let unreadable = shim.reads(of: state, code: code)
                let before = try Directory(opening: site.root).read(Layout.state)
                let picture = try site.picture(of: Site.day(2))

                let sync = try await site.mirror(environment: unreadable)
                let gallery = try site.tree().files["index.html"]
                try await site.damage("truncate -s 0", picture)
                let repair = try await site.start(
                    ["verify", "--repair", "--root", site.root] + site.upstream,
                    environment: unreadable
                ).end()
                let doctor = try await site.start(
                    ["doctor", "--offline", "--root", site.root], environment: unreadable
                ).end()

                #expect(sync.code == 1, "\(sync)")
                #expect(sync.errors.contains("or delete this file"), "\(sync)")
                #expect(!sync.errors.contains("cannot update"), "\(sync)")
                #expect(try site.tree().complete == Set((0..<10).map { Site.day($0) }))
                #expect(repair.output.contains("repaired"), "\(repair)")
                #expect(doctor.code == 1 && doctor.output.contains(state), "\(doctor)")
                #expect(try Directory(opening: site.root).read(Layout.state) == before)
                #expect(try await site.mirror().code == 0)
                #expect(try site.tree().files["index.html"] == gallery)
            }
        }

        /// Each month has a table of its own.
        @Test(arguments: codes, ["sidecars", "v1"])
        func aTableThatCannotBeReadStopsTheFilesOfNoOtherMonth(
            code: Int32, view: String
        ) async throws {
            try await withSite(days: 40) { site in
                let options = view == "v1" ? ["--v1", "40"] : ["--sidecars"]
                func sync(_ environment: [String: String] = [:]) async throws -> Ending {
                    try await site.start(
                        ["run", "--once", "--thumbnails", "no"] + site.settings()
                            + ["--since", "40d"] + options, environment: environment
                    ).end()
                }
                #expect(try await sync().code == 0)
                let shim = try await FaultShim(for: site)
                let before = try site.tree().files
                func path(_ day: Day) throws -> String {
                    view == "v1" ? "v1/\(day).json" : try site.picture(of: day) + ".xmp"
                }
                let paths = try [path(Site.day(0)), path(Site.day(39))]
                for path in paths { try Directory(opening: site.root).remove(path) }
                let month = Month(of: Site.day(39))

                let ending = try await sync(
                    shim.reads(
                        of: "\(site.root)/\(Layout.views)/\(view).d/\(month).json", code: code))
                let after = try site.tree().files

                #expect(ending.code == 1, "\(ending)")
                #expect(after[paths[0]] == before[paths[0]], "\(ending)")
                #expect(after[paths[1]] == nil, "\(ending)")
                #expect(try await sync().code == 0)
                #expect(try site.tree().files[paths[1]] == before[paths[1]])
            }
        }

        @Test func favoritesAreAddedAndRemovedWithoutTheSettingsOfTheDaemon() async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                for action in ["add", "remove"] {
                    let ending = try await site.start(
                        ["favorites", action, "\(Site.day(1))", "--root", site.root],
                        environment: shim.reads(of: "\(site.root)/\(Layout.service)", code: EIO)
                    ).end()

                    #expect(ending.code == 0, "\(ending)")
                }
            }
        }

        @Test func aStateThatCannotBeReadIsNotReplaced() async throws {
            try await withSite { site in
                let shim = try await FaultShim(for: site)
                site.simulator.inject(.notFound, on: .mediaOf(Site.day(2)), times: nil)
                for _ in 0..<2 { #expect(try await site.mirror().code == 3) }
                let root = site.root
                func attempts() async throws -> Int? {
                    let missing = try await site.read("status", "--json").json["missing"]
                    return missing?.elements.first?["attempts"]?.integer
                }
                #expect(try await attempts() == 2)

                // Each call of the first read fails once, then all calls for good.
                for (number, count) in [(1, 1), (2, 1), (3, 1), (1, nil)] as [(Int, Int?)] {
                    let ending = try await site.mirror(
                        environment: shim.reads(
                            of: "\(root)/\(Layout.state)", code: EIO, from: number, count: count))

                    #expect(ending.code != 0 && !ending.sentences.isEmpty, "\(ending)")
                    #expect(try await attempts() == 2, "\(number)")
                }
                #expect(try await site.mirror().code == 3)
                #expect(try await attempts() == 3)
            }
        }

        /// Eight calls in a row fail that read the record: wherever they begin, some of them read it as a whole.
        @Test func anEditKeepsTheKeysOfAPersonWhicheverReadsFail() async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let record = Layout.recordPath(of: Site.day(1))
                _ = try await site.shell(
                    "sed -i '0,/{/s//{\"mine\": 7,/' \"$APOD_MIRROR_ROOT/\(record)\"")
                try #require(try site.record(of: Site.day(1))?["mine"]?.integer == 7)
                try site.simulator.edit(Site.day(1)) { $0.title = "Quite Another Title" }
                try site.copy("apod", to: "before")
                var number = -3
                repeat {
                    number += 4
                    try site.copy("before", to: "apod")
                    let variables = shim.reads(
                        of: "\(site.root)/\(record)", code: EIO, from: number, count: 8)
                    _ = try await site.mirror(environment: variables)
                    let faulty = shim.calls.count
                    let later = try await site.mirror()

                    #expect(later.code == 0, "\(number): \(later)")
                    let edited = try site.record(of: Site.day(1))
                    #expect(edited?["title"]?.string == "Quite Another Title", "\(number)")
                    #expect(edited?["mine"]?.integer == 7, "\(number)")
                    guard faulty >= number else { break }
                } while number < 100
                #expect(number > 2)
            }
        }

        @Test(arguments: codes)
        func theRecordOfAFavoriteThatCannotBeReadStays(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                #expect(try await site.read("favorites", "add", "\(Site.day(1))").code == 0)
                #expect(try await site.mirror().code == 0)
                let folder = "\(Layout.favoriteStore)/"
                let before = try site.tree().files.filter { $0.key.hasPrefix(folder) }
                let record = "\(site.root)/\(folder)\(Site.day(1)).json"

                // The record is examined, and then cannot be opened.
                for (number, count) in [(1, nil), (2, 1)] as [(Int, Int?)] {
                    let ending = try await site.mirror(
                        environment: shim.reads(of: record, code: code, from: number, count: count))

                    #expect(count != nil || ending.code != 0, "\(ending)")
                    #expect(try site.tree().files.filter { $0.key.hasPrefix(folder) } == before)
                }
                #expect(try await site.mirror().code == 0)
                #expect(try site.tree().files.filter { $0.key.hasPrefix(folder) } == before)
            }
        }

        @Test(arguments: codes)
        func theNewestDayIsAnnouncedThoughLatestJPGCannotBeRead(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                try site.simulator.edit(Site.today) {
                    $0.media = .drawn("b.png", seed: 7, width: 64, height: 40, format: .png)
                }
                let latest = "\(site.root)/\(Layout.latestPicture)"

                let ending = try await site.mirror(environment: shim.reads(of: latest, code: code))

                #expect(ending.code == 1 && ending.errors.contains(latest), "\(ending)")
                let files = try site.tree().files
                let record = try #require(files[Layout.recordPath(of: Site.today)])
                #expect(String(decoding: record, as: UTF8.self).contains("b.png"))
                #expect(files[Layout.latestRecord] == record, "\(ending)")
            }
        }

        /// The daemon has just removed the favorite; the record is gone when it is examined, or when it is opened.
        @Test(arguments: [1, 2])
        func aRecordOfAFavoriteThatVanishesIsNotDamaged(call: Int) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let day = Site.day(1)
                #expect(try await site.read("favorites", "add", "\(day)").code == 0)
                _ = try await site.shell(
                    "cd \"$APOD_MIRROR_ROOT\" && rm favorites/\(day)* \(Layout.favoriteStore)/\(day).jpg"
                )

                let ending = try await site.start(
                    ["favorites", "list", "--json", "--root", site.root],
                    environment: shim.reads(
                        of: "\(site.root)/\(Layout.favoriteStore)/\(day).json", code: ENOENT,
                        from: call)
                ).end()

                #expect(ending.code == 0 && shim.calls.count >= call, "\(ending)")
                #expect(try ending.json["favorites"] == [], "\(ending)")
            }
        }

        // MARK: Reading

        /// A person's own picture has the date of one that is gone, which only its record tells.
        @Test(arguments: codes)
        func statusCountsNoPictureAsHereWhileTheListOfCheckedMonthsCannotBeRead(
            code: Int32
        ) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let picture = try site.picture(of: Site.day(2))
                try site.write(
                    "mine", to: "apod/\(Layout.split(picture).folder)/\(Site.day(2)) mine.jpg")
                try Directory(opening: site.root).remove(picture)
                site.simulator.inject(.notFound, on: .media, times: nil)
                #expect(try await site.mirror().code == 3)
                let checked = "\(site.root)/\(Layout.checkedMonths)"
                let before = try Directory(opening: site.root).read(Layout.checkedMonths)

                for words in [["status"], ["run", "--once", "--thumbnails", "no"]] {
                    let options = words == ["status"] ? ["--root", site.root] : site.settings()
                    let ending = try await site.start(
                        words + options, environment: shim.reads(of: checked, code: code)
                    ).end()
                    #expect(ending.code == 3, "\(ending)")
                    let text = ending.output + ending.errors
                    #expect(text.contains("9 of 10") || text.contains("1 of 10"), "\(ending)")
                }
                #expect(try Directory(opening: site.root).read(Layout.checkedMonths) == before)
                #expect(try await site.read("status").code == 3)
            }
        }

        @Test(arguments: codes, [true, false])
        func showSaysThatADayCannotBeRead(code: Int32, isMonth: Bool) async throws {
            try await withMirroredSite(days: 2) { site in
                let shim = try await FaultShim(for: site)
                let record = Layout.recordPath(of: Site.today)
                let path = isMonth ? Layout.split(record).folder : record

                let ending = try await site.start(
                    ["show", "\(Site.today)", "--root", site.root],
                    environment: shim.reads(of: "\(site.root)/\(path)", code: code)
                ).end()

                #expect(ending.code == 1, "\(ending)")
                #expect(ending.errors.contains("\(Site.today) cannot be read: "), "\(ending)")
            }
        }

        @Test(arguments: codes)
        func statusSaysWhyItDoesNotKnowTheDaysOfAMonth(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                let folder = "\(site.root)/\(Layout.metadata)/"

                let ending = try await site.start(
                    ["status", "--missing", "--root", site.root],
                    environment: shim.reads(of: folder, code: code)
                ).end()

                #expect(ending.code == 1, "\(ending)")
                #expect(!ending.output.contains("none yet"), "\(ending)")
                #expect(!ending.output.contains("not tried yet"), "\(ending)")
                #expect(!ending.output.contains("missing"), "\(ending)")
                let lines = ending.output.split(separator: "\n")
                #expect(lines.count { $0.contains(folder) } == 11, "\(ending)")
            }
        }

        @Test(arguments: codes, [true, false])
        func aRecordedFavoriteThatCannotBeReadIsNotNew(code: Int32, isRecord: Bool) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                #expect(try await site.read("favorites", "add", "\(Site.day(1))").code == 0)
                #expect(try await site.mirror().code == 0)
                let path =
                    isRecord ? "\(Layout.favoriteStore)/\(Site.day(1)).json" : Layout.favorites

                let ending = try await site.start(
                    ["favorites", "list", "--root", site.root],
                    environment: shim.reads(of: "\(site.root)/\(path)", code: code)
                ).end()

                #expect(ending.output.hasPrefix("\(Site.day(1))  "), "\(ending)")
                #expect(!ending.output.contains("(new)"), "\(ending)")
                #expect(ending.code == (isRecord ? 0 : 1), "\(ending)")
                #expect(isRecord || ending.errors.contains("\(site.root)/\(path)"), "\(ending)")
            }
        }

        /// Whichever call fails: one of them reads the target of the link.
        @Test func aLinkThatCannotBeReadIsNotAPersons() async throws {
            try await withMirroredSite(days: 2) { site in
                let shim = try await FaultShim(for: site)
                var number = 0
                repeat {
                    number += 1
                    let latest = "\(site.root)/\(Layout.latestPicture)"
                    _ = try await site.mirror(
                        environment: shim.reads(of: latest, code: EIO, from: number, count: 1))
                    let status = try await site.read("status")
                    #expect(!status.output.contains("in the way"), "\(number): \(status)")
                } while shim.calls.count >= number && number < 100
                #expect(number > 2)
            }
        }

        /// The record of its day says which picture it has, and nothing else does without a pin.
        @Test(arguments: codes)
        func aFavoriteWhosePictureCannotBeExaminedIsNotSaidToLackIt(code: Int32) async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                #expect(try await site.read("favorites", "add", "\(Site.day(1))").code == 0)
                #expect(try await site.mirror().code == 0)
                _ = try await site.shell("rm \"$APOD_MIRROR_ROOT\"/.apod-mirror/favorites/*.jpg")
                let unreadable = shim.reads(
                    of: "\(site.root)/\(Layout.recordPath(of: Site.day(1)))", code: code)

                let list = try await site.start(
                    ["favorites", "list", "--root", site.root], environment: unreadable
                ).end()
                let status = try await site.start(
                    ["status", "--root", site.root], environment: unreadable
                ).end()

                #expect(list.output.contains("(unknown)"), "\(list)")
                #expect(!list.output.contains("(wanted)"), "\(list)")
                #expect(!status.output.contains("not downloaded yet"), "\(status)")
            }
        }

        /// It is a file of its own, because the picture is no JPEG, and only the record says which day it shows.
        @Test(arguments: codes)
        func aLinkToTheLatestPictureIsNotUnrecognizedWhileTheRecordCannotBeRead(
            code: Int32
        ) async throws {
            try await withSite(days: 3) { site in
                try site.simulator.edit(Site.today) {
                    $0.media = .drawn("b.png", seed: 7, width: 64, height: 40, format: .png)
                }
                #expect(try await site.mirror("--since", "3d", thumbnails: true).code == 0)
                let root = try Directory(opening: site.root)
                try #require(try root.status(Layout.latestPicture)?.kind == .file)
                try root.makeDirectory(Layout.favorites)
                    .symlink("mine", to: "../\(Layout.latestPicture)")
                let shim = try await FaultShim(for: site)
                let record = "\(site.root)/\(Layout.recordPath(of: Site.today))"

                let ending = try await site.start(
                    ["favorites", "list", "--root", site.root],
                    environment: shim.reads(of: record, code: code)
                ).end()
                let later = try await site.read("favorites", "list")

                #expect(ending.output.contains("mine cannot be read ("), "\(ending)")
                #expect(later.output.contains("\(Site.today)  "), "\(later)")
            }
        }

        /// In a copy of a mirror, `favorites/` is another folder than the recorded one, which holds what it lacks.
        @Test func aFavoriteWhoseLinkCannotBeReadIsNotSaidToBeRemoved() async throws {
            try await withMirroredSite { site in
                let shim = try await FaultShim(for: site)
                #expect(try await site.read("favorites", "add", "\(Site.day(1))").code == 0)
                try site.copy("apod", to: "before")
                var number = 0
                repeat {
                    number += 1
                    try site.copy("before", to: "apod")
                    let ending = try await site.start(
                        ["favorites", "remove", "\(Site.day(1))", "--root", site.root],
                        environment: shim.reads(
                            of: "\(site.root)/\(Layout.favorites)/", code: EIO, from: number,
                            count: 1)
                    ).end()
                    let isThere = try site.tree().files.keys.contains {
                        $0.hasPrefix("\(Layout.favorites)/\(Site.day(1))")
                    }
                    #expect((ending.code == 0) != isThere, "\(number): \(ending)")
                } while shim.calls.count >= number && number < 100
                #expect(number > 2)
            }
        }

        /// A mount point whose mirror is known, and a list of mirrors that cannot be read.
        @Test func noMirrorIsMadeWhileTheKnownOnesCannotBeRead() async throws {
            try await withMirroredSite(days: 1) { site in
                let shim = try await FaultShim(for: site)
                _ = try await site.shell("mv \"$APOD_MIRROR_ROOT\" \"$APOD_MIRROR_ROOT.disk\"")
                _ = try await site.shell("mkdir \"$APOD_MIRROR_ROOT\"")

                let ending = try await site.mirror(
                    environment: shim.reads(of: "/apod-mirror/mirrors", code: EIO))

                #expect(ending.code != 0, "\(ending)")
                #expect(try Directory(opening: site.root).names().isEmpty)
            }
        }
    }
}
