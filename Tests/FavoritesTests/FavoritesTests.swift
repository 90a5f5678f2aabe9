import APOD
import Glibc
import JSON
import Mirror
import Platform
import Testing

@testable import Favorites

/// Favorites in a real directory.
@Suite(.timeLimit(.minutes(10))) struct FavoritesTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet
    let moon = FolderUnderTest.moon
    let crabPath = FolderUnderTest.crabPath
    let cometPath = FolderUnderTest.cometPath

    @Test func aLinkIsRecordedAsAFavorite() async throws {
        try await withFolder { folder in
            folder.link("x.jpg", to: folder.path(crabPath))

            let outcome = try await folder.reconcile()

            #expect(outcome.added.map(\.day) == [crab])
            #expect(outcome.wanted.isEmpty)
            let record = try #require(folder.record(crab))
            #expect(record.title == "The Crab Nebula")
            #expect(record.names.map(\.text) == ["x.jpg"])
            #expect(record.kind == .link)
        }
    }

    @Test func aLinkMadeWhileStoppedIsFound() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.link("x.jpg", to: "../\(crabPath)")
            folder.restart()

            #expect(try await folder.reconcile().added.map(\.day) == [crab])
            folder.restart()
            #expect(try await folder.reconcile().added.isEmpty)
        }
    }

    @Test func thePictureOfAFavoriteIsPinned() async throws {
        try await withFolder { folder in
            folder.link("x.jpg", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove(crabPath)

            let pin = ".apod-mirror/favorites/2026-11-20.jpg"
            #expect(folder.read(pin) == FolderUnderTest.picture("crab"))
        }
    }

    /// A copy of a mirror can lose the times of pins.
    @Test func aRestoredPictureHasTheTimeOfItsDay() async throws {
        try await withFolder { folder in
            folder.link("x.jpg", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove(crabPath)
            folder.setTime(of: ".apod-mirror/favorites/2026-11-20.jpg", to: 1_000_000_000)

            try await folder.reconcile()

            #expect(folder.status(crabPath)?.modified == crab.noon)
        }
    }

    @Test func aMissingPictureIsRestoredFromItsPin() async throws {
        try await withFolder { folder in
            folder.link("x.jpg", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove(crabPath)

            let outcome = try await folder.reconcile()

            #expect(folder.read(crabPath) == FolderUnderTest.picture("crab"))
            #expect(outcome.wanted.isEmpty)
            #expect(folder.target("x.jpg") == "../\(crabPath)")
        }
    }

    @Test func aPinOfAnEarlierRevisionDoesNotReplaceALaterOne() async throws {
        try await withFolder { folder in
            folder.link("x.jpg", to: "../\(crabPath)")
            try await folder.reconcile()
            let path = crabPath
            folder.remove(path)
            try folder.mirror(crab, "Edited", path, FolderUnderTest.picture("b2rc"))
            folder.remove(path)

            let outcome = try await folder.reconcile()

            #expect(folder.status(path) == nil)
            #expect(outcome.wanted == [crab])
        }
    }

    @Test func aWorkingLinkIsNeverChanged() async throws {
        try await withFolder { folder in
            folder.link("absolute", to: folder.path(crabPath))
            folder.link("relative", to: "../\(crabPath)")
            folder.link("latest", to: "../latest.jpg")
            folder.link("chained", to: "relative")
            folder.link("to the folder's own", to: "../favorites/relative")
            let names = ["absolute", "relative", "latest", "chained", "to the folder's own"]
            let before = names.map { folder.status("favorites/\($0)")?.identity }
            try await folder.reconcile()
            try await folder.reconcile()

            #expect(names.map { folder.status("favorites/\($0)")?.identity } == before)
        }
    }

    @Test(arguments: [
        "../../../pictures/2026/2026-11/2026-11-20 Old Title.jpg",
        "../../../../../pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg",
        "../pictures/2026/2026-11/2026-11-20.png",
        "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg",
    ])
    func aBrokenLinkIsRepairedInPlace(target: String) async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/a/b")
            folder.link("a/b/mine", to: target)

            try await folder.reconcile()

            #expect(folder.target("a/b/mine") == "../../../\(crabPath)")
            #expect(try folder.tree.root.folder(".apod-mirror/incoming")?.names() == [])
            #expect(try await folder.reconcile().events.isEmpty)
        }
    }

    @Test(arguments: ["/home/me/2026-11-20.jpg", "/etc/2026-11-20"])
    func aLinkToAFileOfTheUserIsNotChanged(target: String) async throws {
        try await withFolder { folder in
            folder.link("mine", to: target)

            let outcome = try await folder.reconcile()

            #expect(outcome.added.map(\.day) == [crab])
            #expect(folder.target("mine") == target)
        }
    }

    /// A killed process may have left its temporary link.
    @Test func aLinkIsRecreatedBesideALeftoverTemporaryLink() async throws {
        try await withFolder { folder in
            folder.makeDirectory(FavoriteLinks.moving)
            try folder.tree.root.symlink("\(FavoriteLinks.moving)/x", to: "../\(crabPath)")
            folder.link("x", to: "../../\(crabPath)")

            try await folder.reconcile()

            #expect(folder.target("x") == "../\(crabPath)")
            #expect(try folder.tree.root.folder(FavoriteLinks.moving)?.names() == [])
            #expect(try folder.tree.root.folder("favorites")?.names().count == 1)
        }
    }

    /// The link that a killed process had replaced; the user removed the new one before the next start.
    @Test func aReplacedLinkDoesNotReturnAfterItsFavoriteWasRemoved() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.makeDirectory(FavoriteLinks.moving)
            try folder.tree.root.symlink("\(FavoriteLinks.moving)/x", to: "../../\(crabPath)")
            folder.remove("favorites/x")
            folder.link("x", to: "../\(cometPath)")

            let outcome = try await folder.reconcile()

            #expect(try folder.tree.root.folder(FavoriteLinks.moving)?.names() == [])
            #expect(folder.target("x") == "../\(cometPath)")
            #expect(try folder.tree.root.folder("favorites")?.names().count == 1)
            #expect(outcome.favorites[crab]?.isMissing == true)
        }
    }

    @Test func linksAreRepairedAfterTheTreeMoved() async throws {
        try await withFolder { folder in
            let store = FavoriteStore(tree: folder.tree)
            for path in ["/somewhere/before", folder.root] { try store.addRootPaths([path]) }
            folder.link("x", to: "/somewhere/before/\(crabPath)")
            let name: [UInt8] = [0xFF, 0x0A, 0x2D]
            try folder.link(bytes: name, to: "/somewhere/before/\(cometPath)")

            try await folder.reconcile()

            #expect(folder.target("x") == "../\(crabPath)")
            let target = try folder.tree.root.folder("favorites")?.target(bytes: name)
            #expect(target == Array("../\(cometPath)".utf8))
            #expect(folder.record(comet)?.names.map(\.bytes) == [name])
        }
    }

    @Test func aWantedDayIsReportedAndLinkedAfterItsDownload() async throws {
        try await withFolder { folder in
            let target = "../pictures/2024/2024-05/2024-05-01"
            folder.link("moon", to: target)

            #expect(try await folder.reconcile().wanted == [moon])
            #expect(folder.target("moon") == target)
            let path = "pictures/2024/2024-05/2024-05-01 The Moon.jpg"
            try folder.mirror(moon, "The Moon", path, FolderUnderTest.picture("moon"))
            #expect(try await folder.reconcile().wanted.isEmpty)

            #expect(folder.target("moon") == "../\(path)")
            #expect(folder.record(moon)?.title == "The Moon")
            #expect(folder.status(".apod-mirror/favorites/2024-05-01.jpg") != nil)
        }
    }

    @Test func aHardLinkAndACopyAreFavoritesAndNotChanged() async throws {
        try await withFolder { folder in
            precondition(
                unsafe link(folder.path(crabPath), folder.path("favorites/hard")) == 0)
            folder.write("favorites/copy", FolderUnderTest.picture("comet!"))
            folder.write("favorites/almost", FolderUnderTest.picture("comet?"))

            let outcome = try await folder.reconcile()

            #expect(Set(outcome.added.map(\.kind)) == [.hardLink, .copy])
            #expect(outcome.unrecognized.map(\.name.text) == ["almost"])
            #expect(outcome.events.count == 2)
            #expect(folder.status("favorites/hard")?.kind == .file)
            #expect(folder.status("favorites/copy")?.kind == .file)
        }
    }

    @Test func anOriginalMovedToFavoritesIsReturnedAndLinked() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.move(crabPath, to: "favorites/2026-11-20 The Crab Nebula.jpg")

            let outcome = try await folder.reconcile()

            #expect(outcome.added.map(\.day) == [crab])
            #expect(folder.read(crabPath) == FolderUnderTest.picture("crab"))
            #expect(folder.target("2026-11-20 The Crab Nebula.jpg") == "../\(crabPath)")
            #expect(outcome.wanted.isEmpty)
        }
    }

    @Test func anOriginalOfAFavoriteIsReturnedToo() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.move(crabPath, to: "favorites/y.jpg")
            try await folder.reconcile()

            #expect(folder.read(crabPath) == FolderUnderTest.picture("crab"))
            #expect(folder.target("y.jpg") == "../\(crabPath)")
        }
    }

    @Test(.enabled(if: getuid() == 0, "gives a file to somebody else"))
    func aCopyOfAnotherUserIsNotTheOriginal() async throws {
        try await withFolder { folder in
            folder.write("favorites/mine", FolderUnderTest.picture("crab"))
            precondition(unsafe chown(folder.path("favorites/mine"), 65534, 65534) == 0)
            folder.remove(crabPath)

            let outcome = try await folder.reconcile()

            #expect(outcome.added.map(\.kind) == [.copy])
            #expect(folder.status("favorites/mine")?.kind == .file)
            #expect(folder.read(crabPath) == nil)
        }
    }

    /// A renamed or removed picture does not turn an earlier copy into the original.
    @Test(arguments: [true, false])
    func aRecordedCopyIsNotTheOriginal(isRenamed: Bool) async throws {
        try await withFolder { folder in
            folder.write("favorites/mine", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            let before = folder.status("favorites/mine")
            if isRenamed {
                folder.move(crabPath, to: "pictures/2026/2026-11/other.jpg")
            } else {
                folder.remove(crabPath)
            }
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(folder.status("favorites/mine") == before)
            #expect(folder.read(crabPath) == FolderUnderTest.picture("crab"))
            #expect(outcome.wanted.isEmpty)
        }
    }

    @Test func anEditedCopyNeverReplacesTheOriginal() async throws {
        try await withFolder { folder in
            folder.write("favorites/mine", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            folder.write("favorites/mine", FolderUnderTest.picture("CRAB"))
            folder.remove(".apod-mirror/favorites/2026-11-20.jpg")
            folder.remove(crabPath)

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.names.map(\.text) == ["mine"])
            #expect(folder.read("favorites/mine") == FolderUnderTest.picture("CRAB"))
            #expect(folder.read(crabPath) != FolderUnderTest.picture("CRAB"))
        }
    }

    /// A copy is edited in place, and then renamed, or the folder that has it.
    @Test(arguments: [
        ("set/copy", "set/better"), ("set", "other"), ("set/copy", "2026-11-20 better"),
    ])
    func anEditedCopyKeepsItsDayUnderAnotherName(old: String, new: String) async throws {
        try await withFolder { folder in
            folder.write("favorites/set/copy", FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            folder.write("favorites/set/copy", FolderUnderTest.picture("a better crab"))
            #expect(try await folder.reconcile().favorites[crab]?.kind == .edited)
            folder.move("favorites/\(old)", to: "favorites/\(new)")
            for _ in 1...2 {
                let favorite = try await folder.reconcile().favorites[crab]

                #expect(favorite?.isMissing == false)
                #expect(favorite?.files.count == 1)
                folder.restart()
            }
        }
    }

    /// Two edited copies; the one takes the name that the other had.
    @Test(arguments: [true, false])
    func anEditedCopyKeepsItsDayUnderTheNameOfAnother(isRemoved: Bool) async throws {
        try await withFolder { folder in
            folder.write("favorites/1", FolderUnderTest.picture("crab"))
            folder.write("favorites/2", FolderUnderTest.picture("comet!"))
            try await folder.reconcile()
            folder.write("favorites/1", FolderUnderTest.picture("a better crab"))
            folder.write("favorites/2", FolderUnderTest.picture("an even better comet"))
            try await folder.reconcile()
            if isRemoved {
                folder.remove("favorites/2")
                try await folder.reconcile()
            } else {
                folder.move("favorites/2", to: "favorites/3")
            }
            folder.move("favorites/1", to: "favorites/2")

            let favorites = try await folder.reconcile().favorites

            #expect(favorites[crab]?.names.map(\.text) == ["2"])
            #expect(favorites[crab]?.isMissing == false)
            #expect(favorites[comet]?.isMissing == isRemoved)
        }
    }

    @Test func aDateInTheNewNameOfAPictureCounts() async throws {
        try await withFolder { folder in
            folder.write("favorites/2026-11-19 mine.jpg", FolderUnderTest.picture("mine"))
            try await folder.reconcile()
            folder.move("favorites/2026-11-19 mine.jpg", to: "favorites/2026-11-20 mine.jpg")

            #expect(try await folder.reconcile().favorites[crab]?.isMissing == false)
        }
    }

    /// A picture of the user's own that is a favorite by the date in its name.
    @Test func aPictureNamedByADateKeepsItWithoutTheDate() async throws {
        try await withFolder { folder in
            folder.write("favorites/my 2026-11-20.jpg", FolderUnderTest.picture("mine"))
            folder.write("favorites/other.jpg", FolderUnderTest.picture("another"))
            #expect(try await folder.reconcile().favorites[crab]?.kind == .named)
            folder.move("favorites/my 2026-11-20.jpg", to: "favorites/my.jpg")
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.names.map(\.text) == ["my.jpg"])
            #expect(outcome.unrecognized.map(\.name.text) == ["other.jpg"])
            #expect(outcome.favorites.count == 1)
        }
    }

    /// Of two links, the one to `latest.jpg` is in a folder that cannot be read for a while.
    @Test func aLinkThroughLatestInAnUnreadableFolderKeepsItsDay() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                let crab = FolderUnderTest.crab
                folder.makeDirectory("favorites/set")
                folder.link("x", to: "../\(FolderUnderTest.crabPath)")
                try await folder.linkLatest("set/today")
                precondition(unsafe chmod(folder.path("favorites/set"), 0) == 0)
                folder.link("y", to: "../\(FolderUnderTest.crabPath)")
                try await folder.reconcile()
                precondition(unsafe chmod(folder.path("favorites/set"), 0o755) == 0)
                folder.restart()

                let favorites = try await folder.reconcile().favorites

                #expect(favorites.keys.map(\.description) == [crab.description])
                #expect(favorites[crab]?.names.count == 3)
            }
        }
    }

    @Test func aLinkThroughLatestKeepsItsDay() async throws {
        try await withFolder { folder in
            try await folder.linkLatest("today")
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.added.isEmpty)
            #expect(outcome.favorites.keys.map(\.description) == [crab.description])
        }
    }

    /// Moved out of a collection, a relative link leads out of the mirror.
    @Test func aLinkThroughLatestKeepsItsDayWhenItIsMovedOutOfACollection() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/set")
            try await folder.linkLatest("set/today")
            folder.move("favorites/set/today", to: "favorites/that day")
            for _ in 1...2 {
                folder.restart()
                let outcome = try await folder.reconcile()

                #expect(outcome.favorites[crab]?.names.map(\.text) == ["that day"])
                #expect(outcome.favorites[crab]?.isMissing == false)
            }
        }
    }

    /// Writes a picture as the mirror does that converts it.
    private func convert(
        _ name: String, of day: Day, as text: String = "apod-mirror: x", in folder: FolderUnderTest
    ) throws {
        folder.write(name, FolderUnderTest.picture(text))
        let file = try folder.tree.root.open(name, O_RDWR)
        try file.setModified(day.noon, path: name)
    }

    @Test func aLinkToAFileOfTheUserIsNoFavoriteOfItsTime() async throws {
        try await withFolder { folder in
            folder.remove("latest.jpg")
            try convert("latest.jpg", of: crab, as: "mine", in: folder)
            try convert("latest.png", of: crab, as: "mine", in: folder)
            folder.link("today", to: "../latest.jpg")
            folder.link("today too", to: "../latest.png")

            #expect(try await folder.reconcile().favorites.isEmpty)
        }
    }

    /// As `cp -r` makes the directory and its links.
    @Test func aLinkThroughLatestKeepsItsDayInACopy() async throws {
        try await withFolder { folder in
            try await folder.linkLatest("that day")
            folder.move("favorites", to: "old")
            folder.makeDirectory("favorites")
            folder.link("that day", to: "../latest.jpg")
            folder.setTime(of: "favorites/that day", to: 1000)
            for _ in 1...2 {
                folder.restart()
                let outcome = try await folder.reconcile()

                #expect(outcome.favorites.keys.map(\.description) == [crab.description])
                #expect(outcome.favorites[crab]?.isMissing == false)
            }
        }
    }

    /// `cp -r` gives all links the same time; one of them is renamed afterwards.
    @Test(arguments: ["older", "newer"])
    func aLinkThroughLatestKeepsItsDayWhenItIsRenamedInACopy(_ name: String) async throws {
        try await withFolder { folder in
            for (link, path, time) in [("older", cometPath, 1), ("newer", crabPath, 2)] {
                try folder.tree.root.remove("latest.jpg")
                try folder.tree.root.symlink("latest.jpg", to: path)
                folder.link(link, to: "../latest.jpg")
                folder.setTime(of: "favorites/\(link)", to: time)
                try await folder.reconcile()
            }
            folder.move("favorites", to: "old")
            folder.makeDirectory("favorites")
            for link in ["older", "newer"] {
                folder.move("old/\(link)", to: "favorites/\(link)")
                folder.setTime(of: "favorites/\(link)", to: 1000)
            }
            try await folder.reconcile()
            folder.move("favorites/\(name)", to: "favorites/renamed")

            let favorites = try await folder.reconcile().favorites

            let day = name == "older" ? comet : crab
            #expect(favorites[day]?.names.map(\.text) == ["renamed"])
            #expect(favorites.values.allSatisfy { !$0.isMissing })
        }
    }

    /// The derived files of the newest day: its record, a link to its picture, a converted picture.
    @Test(arguments: ["latest.json", "latest.jpg", "converted"])
    func aLinkToADerivedFileKeepsItsDay(_ kind: String) async throws {
        try await withFolder { folder in
            let name = kind == "converted" ? "latest.jpg" : kind
            func show(_ day: Day, _ path: String) throws {
                folder.remove(name)
                switch kind {
                case "latest.json":
                    folder.write(
                        name, try Store(reading: folder.tree).record(of: day)?.json.document ?? [])
                case "converted":
                    try convert(name, of: day, in: folder)
                default: try folder.tree.root.symlink(name, to: path)
                }
            }
            try show(crab, crabPath)
            folder.link("today", to: "../\(name)")
            let first = try await folder.reconcile()
            #expect(first.added.count == 1)
            try show(comet, cometPath)
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.added.isEmpty)
            #expect(outcome.favorites.keys.map(\.description) == [crab.description])
        }
    }

    /// Also one with a name that earlier versions gave to the newest picture.
    @Test(arguments: ["latest.jpg", "latest-picture.jpg", "latest.png", "latest.mp4"])
    func aRenamedLinkThroughLatestKeepsItsDay(latest: String) async throws {
        try await withFolder { folder in
            folder.link("today", to: "../\(latest)")
            folder.link("chained", to: "today")
            try await folder.reconcile()
            folder.remove("latest.jpg")
            try folder.tree.root.symlink("latest.jpg", to: cometPath)
            folder.makeDirectory("favorites/a")
            folder.move("favorites/today", to: "favorites/a/that day")
            folder.move("favorites/chained", to: "favorites/a/chained")

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.keys.map(\.description) == [crab.description])
            #expect(outcome.favorites[crab]?.names.contains { $0.text == "a/that day" } == true)
        }
    }

    @Test func aBrokenLinkKeepsItsLastDay() async throws {
        try await withFolder { folder in
            let days = (1...12).map { Day.first.advanced(by: 100 + $0) } + [crab]
            for day in days {
                folder.remove("favorites/x")
                folder.link("x", to: "/mnt/nas/2026/2026-11/\(day).jpg")
                folder.remove("favorites/x")
                folder.link("x", to: "/home/me/\(day).jpg")
                folder.advance(seconds: 1)
                try await folder.reconcile()
            }
            folder.remove("favorites/x")
            folder.link("x", to: "nothing")

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.values.filter { !$0.isMissing }.map(\.day) == [crab])
            #expect(folder.target("x") == "../\(crabPath)")
        }
    }

    // MARK: Removal

    @Test func aRemovedLinkRemovesTheFavoriteAfterTheGracePeriod() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites/x")

            #expect(try await folder.reconcile().nextScan != nil)
            #expect(folder.record(crab) != nil)
            folder.advance(seconds: 60)
            folder.restart()
            #expect(try await folder.reconcile().removed.map(\.day) == [crab])
            #expect(folder.record(crab) == nil)
            #expect(folder.status(".apod-mirror/favorites/2026-11-20.jpg") == nil)
        }
    }

    @Test func aRemovedDirectoryIsRecreatedWithItsLinks() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/Nebulae")
            folder.link("Nebulae/x", to: folder.path(crabPath))
            folder.link("y", to: "../\(cometPath)")
            try await folder.reconcile()
            folder.remove("favorites")

            try await folder.reconcile()
            folder.advance(seconds: 3600)
            let outcome = try await folder.reconcile()

            #expect(folder.target("Nebulae/x") == "../../\(crabPath)")
            #expect(folder.target("y") == "../\(cometPath)")
            #expect(outcome.favorites.count == 2)
            #expect(outcome.favorites.values.allSatisfy { !$0.isMissing })
        }
    }

    /// A name may have belonged to another favorite, or to a directory.
    @Test func aDirectoryIsRecreatedAlthoughNamesCollide() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(cometPath)")
            folder.link("a", to: "/home/me/2010-01-01.jpg")
            try await folder.reconcile()
            folder.remove("favorites/x")
            folder.remove("favorites/a")
            folder.link("x", to: "../\(crabPath)")
            folder.makeDirectory("favorites/a")
            folder.link("a/y", to: "/home/me/2010-01-02.jpg")
            try await folder.reconcile()
            folder.remove("favorites")

            try await folder.reconcile()

            #expect(folder.target("x") == "../\(crabPath)")
            #expect(folder.target("a/y") == "../../pictures/2010/2010-01/2010-01-02")
        }
    }

    @Test func aDirectoryIsRecreatedAlthoughALinkHasTheNameOfADirectory() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/a")
            folder.link("a/x", to: "../../\(cometPath)")
            try await folder.reconcile()
            folder.remove("favorites/a")
            folder.link("a", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites")

            let outcome = try await folder.reconcile()

            #expect(folder.target("a") == "../\(crabPath)")
            #expect(outcome.favorites.count == 2)
        }
    }

    @Test func aRecreatedDirectoryIsRecognized() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites")
            try await folder.reconcile()
            folder.remove("favorites/x")

            #expect(try await folder.reconcile().favorites[crab]?.isHeld == false)
            folder.advance(seconds: 60)
            #expect(try await folder.reconcile().removed.map(\.day) == [crab])
        }
    }

    @Test func anotherDirectoryInItsPlaceRemovesNoFavorite() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.move("favorites", to: "old")
            folder.makeDirectory("favorites")

            #expect(try await folder.reconcile().favorites[crab]?.isHeld == true)
            folder.advance(seconds: 3600)
            folder.restart()
            #expect(try await folder.reconcile().favorites[crab]?.isHeld == true)
        }
    }

    @Test func anotherDirectoryIsNotAcceptedBeforeACompleteScan() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.move("favorites", to: "old")
            folder.makeDirectory("favorites")
            _ = try await folder.favorites.reconcile(Self.partial(Scan(of: folder.tree.root)))

            #expect(try await folder.reconcile().favorites[crab]?.isHeld == true)
        }
    }

    @Test(arguments: ["a file", "a link", "a fifo"])
    func anItemInPlaceOfFavoritesIsNotChanged(_ thing: String) async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites")
            switch thing {
            case "a file": folder.write("favorites", [1])
            case "a link": try folder.tree.root.symlink("favorites", to: "/etc")
            default: unsafe mkfifo(folder.path("favorites"), 0o644)
            }
            let before = folder.status("favorites")
            folder.advance(seconds: 3600)

            let outcome = try await folder.reconcile()

            #expect(outcome.events.first == .folderIsNotADirectory)
            #expect(outcome.favorites.count == 1)
            #expect(folder.status("favorites") == before)
        }
    }

    @Test func anUnreadableDirectoryRemovesNoFavorite() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites/x")
            let scan = Self.partial(Scan(of: folder.tree.root))
            for _ in 0..<3 {
                folder.advance(seconds: 3600)
                let outcome = try await folder.favorites.reconcile(scan)
                #expect(outcome.favorites[crab]?.isMissing == false)
                #expect(outcome.events.contains { $0.isUnreadable })
            }
        }
    }

    /// The scan with an unreadable part.
    private static func partial(_ scan: Scan) -> Scan {
        let error = SystemError("open", path: "favorites", code: EACCES)
        return Scan(
            place: scan.place, items: scan.items, failures: [.init(path: [], error: error)])
    }

    // MARK: Damage

    @Test(arguments: [
        "{\"date\": \"2026-1", "", "[]",
        #"{"date": "1999-01-01", "added": "2026-11-20T05:00:00Z", "names": []}"#,
    ])
    func aDamagedRecordIsMovedAsideAndRecreated(text: String) async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.write(".apod-mirror/favorites/2026-11-20.json", Array(text.utf8))
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.isHeld == false)
            #expect(folder.record(crab)?.names.map(\.text) == ["x"])
            let aside = ".apod-mirror/favorites/2026-11-20.json.damaged"
            #expect(folder.read(aside) == Array(text.utf8))
            #expect(outcome.events.contains(.recordDamaged(crab)))
            #expect(try await folder.reconcile().events.isEmpty)
        }
    }

    /// Even if the title of the day is no longer known.
    @Test(arguments: [true, false])
    func aLostRecordIsRecreatedFromThePinAlone(isMirrored: Bool) async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove(".apod-mirror/favorites/2026-11-20.json")
            folder.remove("favorites/x")
            if !isMirrored { folder.remove("metadata/2026/2026-11/2026-11-20.json") }
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[crab]?.isHeld == true)
            #expect(folder.record(crab)?.isHeld == true)
        }
    }

    @Test func aRecordThatWasMovedAsideIsNotAFavorite() async throws {
        try await withFolder { folder in
            folder.write(".apod-mirror/favorites/2026-11-20.json.damaged", [1])

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.isEmpty)
        }
    }

    /// The state before the error is unknown: a removed pin would be assumed to exist.
    @Test(arguments: [
        "2026-11-20.sync-conflict-20261121-101112-ABCDEFG.json", "2026-11-20.jpg~",
        "2026-11-20.jpg.part", "2026-11-20.",
    ])
    func aFileThatIsNoPinMakesNoFavorite(name: String) async throws {
        try await withFolder { folder in
            folder.write(".apod-mirror/favorites/\(name)", [1])

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites.isEmpty)
            #expect(folder.record(crab) == nil)
        }
    }

    /// A backup was restored after NASA had changed the type of the picture.
    @Test func aFavoriteWithTwoPinsIsRemovedAndRestoredWithBoth() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            try await folder.reconcile()
            folder.write(".apod-mirror/favorites/2026-11-20.png", [1])
            folder.restart()
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.advance(seconds: 61)

            #expect(try await folder.reconcile().removed.map(\.day) == [crab])
            folder.restart()
            #expect(try await folder.reconcile().favorites.isEmpty)

            // No picture to pin again.
            folder.remove(FolderUnderTest.crabPath)
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            folder.restart()
            try await folder.reconcile()
            #expect(folder.record(crab) != nil)
            #expect(folder.read(FolderUnderTest.crabPath) == FolderUnderTest.picture("crab"))
            #expect(folder.read(".apod-mirror/favorites/2026-11-20.png") == [1])
        }
    }

    @Test func afterAnErrorTheDiskIsReadAgain() async throws {
        try await withFolder { folder in
            try await folder.linkAndRemoveTwo()
            folder.advance(seconds: 60)
            let record = ".apod-mirror/favorites/2026-11-20.json"
            folder.remove(record)
            folder.makeDirectory(record)
            #expect(try await !folder.reconcile().failures.isEmpty)
            folder.remove(record)
            folder.link("y", to: "../\(cometPath)")

            try await folder.reconcile()

            #expect(folder.record(comet) != nil)
            #expect(folder.status(".apod-mirror/favorites/2026-11-19.jpg") != nil)
        }
    }

    @Test func aPinWithoutARecordIsStillAFavorite() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites/x")
            folder.remove(".apod-mirror/favorites/2026-11-20.json")
            folder.restart()

            #expect(try await folder.reconcile().favorites[crab]?.isHeld == true)
            #expect(folder.record(crab)?.isHeld == true)
        }
    }

    @Test func lostRecordsAreRecreatedFromTheDirectory() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove(".apod-mirror/favorites")
            folder.restart()

            #expect(try await folder.reconcile().favorites.keys.contains(crab))
        }
    }

    @Test func aForgetRequestIsExecutedAtOnceAndOnlyOnce() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(crabPath)")
            try await folder.reconcile()
            folder.remove("favorites/x")
            let store = FavoriteStore(tree: folder.tree)
            try store.requestForget(crab)
            try store.requestForget(comet)

            #expect(try await folder.reconcile().removed.map(\.day) == [crab])
            #expect(try store.forgetRequests().isEmpty)
        }
    }
}
