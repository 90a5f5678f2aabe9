import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// `favorites/` is created again; it, or the mirror, is read in part.
@Suite(.timeLimit(.minutes(10))) struct FavoritesFolderTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet

    /// Or whose folder got another group, as by chown(1) after a restore.
    @Test func aMemberWhoHasNotLoggedInAgainIsToldThat() {
        let advice = { PermissionAdvice.text(for: $0, of: "apod-favorites") }

        #expect(advice(.none).contains("sudo usermod -aG apod-favorites USER"))
        #expect(advice(.afterLogin).contains("log in again, or run “newgrp apod-favorites”"))
        #expect(advice(.ofProcess).contains("sudo systemctl restart apod-mirror"))
    }

    /// The new folder has no name before it has all links and the permissions of the one before.
    @Test func anInterruptedRecreationIsFinished() async throws {
        try await withFolder { folder in
            let group: gid_t = getuid() == 0 ? 12_345 : getgid()
            precondition(unsafe chown(folder.path("favorites"), uid_t.max, group) == 0)
            precondition(unsafe chmod(folder.path("favorites"), 0o2775) == 0)
            folder.link("x")
            folder.makeDirectory("favorites/a")
            folder.link("a/y", to: "../../\(FolderUnderTest.cometPath)")
            try await folder.reconcile()
            folder.remove("favorites")
            let unfinished = ReconcileRun.newFolder
            folder.makeDirectory("\(unfinished)/a")
            try folder.tree.root.symlink("\(unfinished)/x", to: "../\(FolderUnderTest.crabPath)")
            folder.restart()

            for _ in 1...2 {
                let outcome = try await folder.reconcile()
                #expect(outcome.favorites.values.filter(\.isMissing).isEmpty)
                #expect(folder.target("x") == "../\(FolderUnderTest.crabPath)")
                #expect(folder.target("a/y") == "../../\(FolderUnderTest.cometPath)")
                let made = try folder.tree.root.folder("favorites")?.permissions()
                #expect(made?.mode == 0o2775 && made?.group == group)
                #expect(folder.status(unfinished) == nil)
            }
        }
    }

    /// As by “mv favorites f2; mv f2 favorites” while the daemon runs.
    @Test func aFolderThatIsBackBeforeItIsCreatedAgainStays() async throws {
        try await withFolder { folder in
            folder.link("x")
            folder.link("y", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            folder.move("favorites", to: "f2")
            let scan = Scan(of: folder.tree.root)
            folder.move("f2", to: "favorites")

            let outcome = try await folder.favorites.reconcile(scan, checksAll: true)

            #expect(outcome.failures == [] && outcome.notices == [])
            #expect(outcome.favorites.values.filter(\.isMissing).isEmpty)
            #expect(folder.status(ReconcileRun.newFolder) == nil)
            folder.remove("favorites/y")
            try await folder.reconcile()
            folder.advance(seconds: 61)
            #expect(try await folder.reconcile().removed.map(\.day) == [comet])
        }
    }

    /// Other items than links and shortcuts of the mirror move away, because they may be a person's.
    @Test func whatAnInterruptedRecreationLeftIsNotInTheFolder() async throws {
        try await withFolder { folder in
            folder.link("x")
            try await folder.reconcile()
            let unfinished = ReconcileRun.newFolder
            folder.makeDirectory("\(unfinished)/a/b")
            let shortcut = "[InternetShortcut]\r\nURL=https://apod.nasa.gov/apod/ap261119.html\r\n"
            func loseFolder() async throws -> ReconcileOutcome {
                for name in ["x", "a/y", "a/b/z"] {
                    let up = String(repeating: "../", count: name.split(separator: "/").count + 2)
                    try folder.tree.root.symlink(
                        "\(unfinished)/\(name)", to: "\(up)\(FolderUnderTest.cometPath)")
                }
                folder.write("\(unfinished)/a/y.url", Array(shortcut.utf8))
                folder.remove("favorites")
                folder.restart()
                return try await folder.reconcile()
            }

            var outcome = try await loseFolder()
            #expect(outcome.favorites.keys.map(\.self) == [crab])
            #expect(folder.target("x") == "../\(FolderUnderTest.crabPath)")
            #expect(folder.status("favorites/a") == nil)
            #expect(folder.status(unfinished) == nil && folder.status(Layout.aside) == nil)

            let mine = "a/b/\(Layout.favoritesHint)"
            folder.write("\(unfinished)/\(mine)", [1, 2])
            outcome = try await loseFolder()
            #expect(outcome.favorites.keys.map(\.self) == [crab])
            #expect(folder.status("favorites/a") == nil && folder.status(unfinished) == nil)
            let moved = "\(Layout.aside)/\(Layout.split(unfinished).name)"
            #expect(folder.read("\(moved)/\(mine)") == [1, 2])
            #expect(outcome.notices.contains { $0.contains(moved) })
        }
    }

    /// Its items do not count twice, as the file and as the link in its place.
    @Test(arguments: [true, false])
    func aFileThatIsStillThereHasNoLostLink(isBack: Bool) async throws {
        try await withFolder { folder in
            let file = "favorites/M 1.jpg"
            folder.link("a")
            folder.write(file, FolderUnderTest.picture("crab"))
            try await folder.reconcile()
            if isBack {
                folder.remove(file)
                try await folder.reconcile()
                folder.write(file, FolderUnderTest.picture("crab"))
            } else {
                folder.remove("favorites/a")
            }
            try await folder.reconcile()
            folder.move("favorites", to: "backup")
            folder.makeDirectory("favorites")

            try await folder.reconcile()

            let held = try #require(folder.record(crab))
            #expect(held.isHeld && held.names.map(\.text) == ["M 1.jpg", "a"])
            #expect(held.linkNames.map(\.text) == ["M 1 (link).jpg", "a"])
        }
    }

    /// As by cp(1), which writes through a link, after the folder was deleted, or after “favorites restore”.
    ///
    /// At the second time, there are both the file and its link.
    @Test(arguments: [true, false])
    func aFileThatAPersonCopiesBackReplacesNoPicture(isHeld: Bool) async throws {
        try await withFolder { folder in
            let named = "favorites/2026-11-19 mine.jpg"
            let files = [
                ("favorites/a/M 1.jpg", FolderUnderTest.picture("crab")),
                (named, FolderUnderTest.picture("edited")),
            ]
            folder.link("a/x.jpg")
            for (name, bytes) in files { folder.write(name, bytes) }
            try await folder.reconcile()
            for number in 1...2 {
                folder.restart()
                folder.move("favorites", to: "backup \(number)")
                if isHeld {
                    folder.makeDirectory("favorites")
                    try await folder.reconcile()
                    _ = try folder.commands.restored()
                }
                try await folder.reconcile()
                #expect(folder.target("a/x.jpg") == "../../\(FolderUnderTest.crabPath)")
                #expect(folder.target("a/M 1 (link).jpg") == "../../\(FolderUnderTest.crabPath)")

                for (name, bytes) in files { folder.write(name, bytes) }
                try await folder.reconcile()

                #expect(
                    folder.read(FolderUnderTest.cometPath) == FolderUnderTest.picture("comet!"))
                #expect(folder.status(named)?.kind == .file)
                #expect(
                    folder.record(crab)?.names.map(\.text).sorted() == [
                        "a/M 1 (link).jpg", "a/M 1.jpg", "a/x.jpg",
                    ])
            }
        }
    }

    /// A desktop, or Windows over Samba, opens a link to a picture by the ending of the link.
    @Test(arguments: [true, false])
    func aLinkInPlaceOfAShortcutHasTheEndingOfThePicture(isHeld: Bool) async throws {
        try await withFolder { folder in
            let shortcut = Array("https://apod.nasa.gov/apod/ap261120.html".utf8)
            let names = ["a/M 1.URL", "M 1.txt", "M.1.desktop", "M 1.webloc"]
            for name in names { folder.write("favorites/\(name)", shortcut) }
            try await folder.reconcile()
            #expect(folder.record(crab)?.names.count == names.count)
            folder.move("favorites", to: "elsewhere")
            if isHeld {
                folder.makeDirectory("favorites")
                try await folder.reconcile()
                _ = try folder.commands.restored()
            }

            let outcome = try await folder.reconcile()

            #expect(folder.target("a/M 1 (link).jpg") == "../../\(FolderUnderTest.crabPath)")
            for name in ["M 1 (link).jpg", "M.1 (link).jpg"] {
                #expect(folder.target(name) == "../\(FolderUnderTest.crabPath)")
            }
            #expect(try folder.tree.root.folder("favorites")?.names().count == 3)
            #expect(outcome.notices.allSatisfy { !$0.description.contains("as shortcuts") })
        }
    }

    /// `favorites/` is another directory after a copy; in it, root owns a folder.
    @Test(arguments: [true, false])
    func whatCannotBeReadInACopiedMirrorIsNotHeld(hasLink: Bool) async {
        await #expect(processExitsWith: .success) { [hasLink] in
            try await withFolderOfNobody { folder in
                folder.link("a/x")
                folder.link("y", toPicture: FolderUnderTest.cometPath)
                try await folder.reconcile()
                folder.move("favorites", to: "original")
                folder.makeDirectory("favorites/a")
                if hasLink { folder.link("a/x") }
                folder.link("y", toPicture: FolderUnderTest.cometPath)
                precondition(unsafe chmod(folder.path("favorites/a"), 0) == 0)
                for _ in 1...2 {
                    folder.restart()
                    let outcome = try await folder.reconcile()
                    #expect(outcome.favorites.values.filter(\.isMissing).isEmpty)
                    folder.advance(seconds: 61)
                }

                precondition(unsafe chmod(folder.path("favorites/a"), 0o755) == 0)
                try await folder.reconcile()

                // Only now, it is known what the copy lacks.
                #expect(folder.record(FolderUnderTest.crab)?.isHeld == !hasLink)
                #expect(folder.record(FolderUnderTest.comet)?.isMissing == false)
                folder.remove("favorites/y")
                try await folder.reconcile()
                #expect(folder.record(FolderUnderTest.comet)?.isHeld == false)
            }
        }
    }

    /// Nobody knows then whether `favorites/` is still the same directory.
    @Test func withoutItsRecordTheFolderAddsFavoritesAndRemovesNone() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                let (crab, comet) = (FolderUnderTest.crab, FolderUnderTest.comet)
                folder.link("x")
                try await folder.reconcile()
                let record = folder.path(".apod-mirror/favorites/folder.json")
                precondition(unsafe chmod(record, 0) == 0)
                folder.remove("favorites/x")
                #expect(try folder.commands.list().entries.map(\.favorite.day) == [crab])
                _ = try folder.commands.add("\(comet)", as: "y")
                for _ in 1...2 {
                    folder.restart()
                    let outcome = try await folder.reconcile()
                    #expect(outcome.failures.contains { "\($0)".contains("folder.json") })
                    folder.advance(seconds: 61)
                }
                #expect(folder.record(comet)?.names.map(\.text) == ["y.jpg"])
                #expect(folder.record(crab)?.presence == .present)
                folder.move("favorites", to: "elsewhere")
                try await folder.reconcile()
                #expect(folder.status("favorites") == nil)
                folder.move("elsewhere", to: "favorites")
                #expect(
                    try folder.commands.remove(["\(comet)"]).map { try $0.get().day } == [comet])
                try await folder.reconcile()
                #expect(folder.record(comet) == nil)

                precondition(unsafe chmod(record, 0o644) == 0)
                try await folder.reconcile()
                folder.advance(seconds: 61)
                try await folder.reconcile()
                #expect(folder.record(crab) == nil)
            }
        }
    }

    @Test func aCommandInALogLineQuotesThePath() {
        let permissions = DirectoryPermissions(
            group: 0, mode: 0o2775, accessList: [], defaultList: [])
        let advice = ReconcileRun.notice(aboutFolder: "/srv/my mirror", lacking: permissions)

        #expect(advice.contains("chmod 2775 '/srv/my mirror'"))
    }

    // MARK: Read in part

    @Test func noFavoriteIsRemovedAboveALimit() async throws {
        try await withFolder { folder in
            let rules = ScanRules(maximumNames: 1)
            folder.link("crab")
            folder.link("comet", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            for number in 0..<10 { folder.write("favorites/\(number)/holiday picture.jpg", [1]) }
            folder.remove("favorites/crab")

            try await reconcile(folder, rules)
            folder.advance(seconds: 7200)
            let outcome = try await reconcile(folder, rules)

            #expect(folder.record(crab) != nil && folder.record(comet) != nil)
            #expect(folder.status(".apod-mirror/favorites/2026-11-20.jpg") != nil)
            #expect(outcome.removed.isEmpty && !outcome.notices.isEmpty)

            for number in 0..<10 { folder.remove("favorites/\(number)") }
            try await folder.reconcile()
            folder.advance(seconds: 60)
            try await folder.reconcile()
            #expect(folder.record(crab) == nil && folder.record(comet) != nil)
        }
    }

    /// As into a person's private collection; one that stays as it is hides nothing.
    @Test func aFavoriteIsHeldIfItsItemMayHaveMovedIntoAFolderThatCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                let (crab, comet) = (FolderUnderTest.crab, FolderUnderTest.comet)
                folder.link("x")
                folder.link("y", toPicture: FolderUnderTest.cometPath)
                folder.makeDirectory("favorites/private")
                // Items can be moved into it.
                precondition(unsafe chmod(folder.path("favorites/private"), 0o300) == 0)
                folder.setTime(of: "favorites/private", to: 1_700_000_000)
                try await folder.reconcile()
                folder.restart()

                folder.move("favorites/x", to: "favorites/private/x")
                try await folder.reconcile()
                folder.advance(seconds: 61)
                #expect(try await folder.reconcile().favorites[crab]?.isHeld == true)
                folder.remove("favorites/y")
                try await folder.reconcile()
                folder.advance(seconds: 61)
                #expect(try await folder.reconcile().favorites.keys.map(\.self) == [crab])
                #expect(folder.record(comet) == nil)

                precondition(unsafe chmod(folder.path("favorites/private"), 0o755) == 0)
                #expect(try await folder.reconcile().favorites[crab]?.isMissing == false)
            }
        }
    }

    /// As by `mv x A && chmod 700 A` of another person, between two scans.
    @Test func aFavoriteIsHeldIfItsItemMovedIntoACollectionThatBecomesUnreadable() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.link("x")
                folder.link("A/y", toPicture: FolderUnderTest.cometPath)
                try await folder.reconcile()

                folder.move("favorites/x", to: "favorites/A/x")
                precondition(unsafe chmod(folder.path("favorites/A"), 0) == 0)
                try await folder.reconcile()
                folder.advance(seconds: 61)
                let favorites = try await folder.reconcile().favorites
                #expect(favorites[FolderUnderTest.crab]?.isHeld == true)
                #expect(favorites[FolderUnderTest.comet]?.isMissing == false)

                precondition(unsafe chmod(folder.path("favorites/A"), 0o755) == 0)
                #expect(
                    try await folder.reconcile().favorites[FolderUnderTest.crab]?.isMissing == false
                )
            }
        }
    }

    @discardableResult
    private func reconcile(
        _ folder: FolderUnderTest, _ rules: ScanRules
    ) async throws -> ReconcileOutcome {
        let scan = try Scan(folder.tree.root.listing(of: Layout.favorites, by: rules))
        return try await folder.favorites.reconcile(scan, checksAll: true)
    }

    @Test(arguments: [
        "metadata/2026/2026-11", "metadata/2026", "pictures/2026/2026-11", "pictures/2026",
        "metadata/2026/2026-11/2026-11-20.json",
    ])
    func aPartThatCannotBeReadIsNoMissingPicture(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try await withFolderOfNobody { folder in
                folder.link("x")
                try await folder.reconcile()
                let target = folder.target("x")
                precondition(unsafe chmod(folder.path(path), 0) == 0)

                let outcome = try await folder.reconcile()

                #expect(
                    outcome.wanted.isEmpty && outcome.failures.isEmpty
                        && outcome.timeUntilNextScan == nil)
                #expect(outcome.notices.contains { $0.contains(path) })
                #expect(folder.target("x") == target)
                precondition(unsafe chmod(folder.path(path), 0o755) == 0)
                folder.remove(FolderUnderTest.crabPath)
                // A pin that cannot be read, as on a damaged disk, is no copy.
                let pin = folder.path(".apod-mirror/favorites/2026-11-20.jpg")
                precondition(unsafe chmod(pin, 0) == 0)
                folder.restart()
                #expect(try await folder.reconcile().wanted == [FolderUnderTest.crab])
            }
        }
    }
}
