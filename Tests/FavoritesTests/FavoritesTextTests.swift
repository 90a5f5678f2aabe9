import APOD
import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// The texts that the mirror writes into `favorites/`.
@Suite(.timeLimit(.minutes(10))) struct FavoritesTextTests {
    private let crab = FolderUnderTest.crab
    private let comet = FolderUnderTest.comet
    private let hint = "favorites/\(Layout.favoritesHint)"
    private let report = "favorites/\(Layout.favoritesReport)"

    private func text(_ path: String, in folder: FolderUnderTest) -> String? {
        folder.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: The hint

    @Test func theHintIsThereWheneverTheFolderIsEmpty() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            let first = folder.status(hint)
            folder.restart()
            try await folder.reconcile()
            #expect(text(hint, in: folder)?.contains("favorite") == true)
            #expect(folder.status(hint) == first)

            folder.link("x")
            try await folder.reconcile()
            #expect(folder.status(hint) == nil)

            folder.remove("favorites/x")
            try await folder.reconcile()
            #expect(folder.status(hint) == nil)
            folder.advance(seconds: 61)
            try await folder.reconcile()
            #expect(folder.status(hint) != nil)
        }
    }

    @Test(arguments: ["collection/", "blog.txt", "Thumbs.db"])
    func aFolderWithAnyItemHasNoHint(item: String) async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            if item.hasSuffix("/") {
                folder.makeDirectory("favorites/\(item.dropLast())")
            } else {
                folder.write("favorites/\(item)", [0x20])
            }
            try await folder.reconcile()

            #expect(folder.status(hint) == nil)
        }
    }

    @Test func aHintThatItsOwnerDeletesStaysDeleted() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.remove(hint)
            try await folder.reconcile()
            #expect(folder.status(hint) == nil)

            folder.link("x")
            try await folder.reconcile()
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.advance(seconds: 61)
            folder.restart()
            try await folder.reconcile()

            #expect(folder.status(hint) == nil)
        }
    }

    /// In place of the text, or in a mirror that had none, as after a restore without `.apod-mirror/`.
    @Test(arguments: [Layout.favoritesHint, Layout.favoritesReport], [true, false])
    func aTextThatAPersonChangedStays(name: String, isInPlaceOfTheMirrors: Bool) async throws {
        try await withFolder { folder in
            let path = "favorites/\(name)"
            if name == Layout.favoritesReport { folder.link("nothing", to: "/etc") }
            if isInPlaceOfTheMirrors {
                try await folder.reconcile()
                #expect(folder.status(path) != nil)
            }
            folder.write(path, Array("mine".utf8))
            try await folder.reconcile()
            folder.link("x")
            folder.link("another", to: "/etc")
            try await folder.reconcile()

            #expect(text(path, in: folder) == "mine")
        }
    }

    @Test func noTextIsWrittenThroughALink() async throws {
        try await withFolder { folder in
            folder.remove("favorites")
            try folder.tree.root.symlink("favorites", to: "pictures")

            try await folder.reconcile()

            #expect(folder.status("pictures/\(Layout.favoritesHint)") == nil)
        }
    }

    /// An empty one would be taken for another folder, without the links of its favorites.
    @Test func aFolderThatIsGoneSinceTheScanIsNotMadeForAText() async throws {
        try await withFavorite { folder in
            folder.link("nothing", to: "/etc")
            let scan = Scan(of: folder.tree.root)
            folder.move("favorites", to: "elsewhere")

            let outcome = try await folder.favorites.reconcile(scan, checksAll: true)
            #expect(outcome.failures == [] && folder.status("favorites") == nil)

            try await folder.reconcile()
            #expect(folder.target("x") == "../\(FolderUnderTest.crabPath)")
            #expect(folder.record(crab)?.isMissing == false)
        }
    }

    // MARK: The report

    /// The path that the report asks for.
    private func confirmation(in folder: FolderUnderTest) throws -> String {
        let lines = try #require(text(report, in: folder)).split(separator: "\n")
        let name = try #require(lines.first { $0.hasPrefix("  Remove these favorites ") })
        return "favorites/\(name.dropFirst(2))"
    }

    /// Three favorites of which two are held.
    private func withHeldFavorites(
        _ body: nonisolated(nonsending) (FolderUnderTest) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            folder.mirror(
                FolderUnderTest.moon, "Moon",
                "pictures/2024/2024-05/\(FolderUnderTest.moon) Moon.jpg",
                FolderUnderTest.picture("moon"))
            folder.link("a")
            folder.link("b", toPicture: FolderUnderTest.cometPath)
            folder.link("c", toPicture: "pictures/2024/2024-05/\(FolderUnderTest.moon) Moon.jpg")
            try await folder.reconcile()
            for name in ["a", "b", "c"] { folder.remove("favorites/\(name)") }
            try await folder.reconcile()
            folder.link("c", toPicture: "pictures/2024/2024-05/\(FolderUnderTest.moon) Moon.jpg")
            try await folder.reconcile()
            #expect(folder.record(crab)?.isHeld == true && folder.record(comet)?.isHeld == true)
            try await body(folder)
        }
    }

    @Test func theReportHasTheHeldFavoritesAndGoesWithThem() async throws {
        try await withHeldFavorites { folder in
            let held = try #require(text(report, in: folder))
            #expect(held.contains("2026-11-20 The Crab Nebula") && held.contains("\(comet)"))
            #expect(!held.contains("\(FolderUnderTest.moon)"))

            folder.link("a")
            try await folder.reconcile()
            #expect(text(report, in: folder)?.contains("\(crab)") == false)

            folder.link("b", toPicture: FolderUnderTest.cometPath)
            try await folder.reconcile()
            #expect(folder.status(report) == nil)
        }
    }

    /// Only a person can let the mirror write to the folder, as to one that was moved into `favorites/`.
    @Test func theReportNamesLinksThatTheMirrorMayNotRepair() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.makeDirectory("favorites/trip")
                folder.link("trip/eight.jpg", to: "../\(FolderUnderTest.crabPath)")
                precondition(unsafe chmod(folder.path("favorites/trip"), 0o555) == 0)
                try await folder.reconcile()

                let report = "favorites/\(Layout.favoritesReport)"
                let said = String(decoding: try #require(folder.read(report)), as: UTF8.self)
                #expect(said.contains("not repaired") && said.contains("  trip/eight.jpg\n"))

                precondition(unsafe chmod(folder.path("favorites/trip"), 0o755) == 0)
                try await folder.reconcile()
                #expect(folder.status(report) == nil)
            }
        }
    }

    /// Nobody else says what these favorites wait for.
    @Test func heldFavoritesWithoutTheirReportAreAFailure() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                folder.link("a")
                folder.link("b", toPicture: FolderUnderTest.cometPath)
                folder.link("c", toPicture: "pictures/2024/2024-05/2024-05-01 Moon.jpg")
                folder.mirror(
                    FolderUnderTest.moon, "Moon", "pictures/2024/2024-05/2024-05-01 Moon.jpg",
                    FolderUnderTest.picture("moon"))
                try await folder.reconcile()
                for name in ["a", "b", "c"] { folder.remove("favorites/\(name)") }
                precondition(unsafe chmod(folder.path("favorites"), 0o555) == 0)

                let outcome = try await folder.reconcile()

                #expect(folder.record(FolderUnderTest.crab)?.isHeld == true)
                #expect(outcome.failures.contains { $0.path.contains("/favorites/") })
                precondition(unsafe chmod(folder.path("favorites"), 0o755) == 0)
                #expect(try await folder.reconcile().failures.isEmpty)
            }
        }
    }

    @Test func renamingTheReportRemovesItsFavorites() async throws {
        try await withHeldFavorites { folder in
            let confirmation = try confirmation(in: folder)
            folder.move(report, to: confirmation)

            let outcome = try await folder.reconcile()

            #expect(outcome.removed.map(\.day).sorted() == [comet, crab])
            #expect(Set(outcome.favorites.keys) == [FolderUnderTest.moon])
            #expect(folder.status(confirmation) == nil && folder.status(report) == nil)
            #expect(FavoriteStore.forgetRequests(in: folder.tree.root).isEmpty)
            #expect(try folder.commands.removedFavorites().count == 2)
        }
    }

    /// A file manager that hides the ending adds it to the name that the person types, or the person leaves it out.
    @Test(arguments: ["", ".txt.txt", ".TXT"])
    func theEndingOfTheRenamedReportDoesNotCount(ending: String) async throws {
        try await withHeldFavorites { folder in
            let typed = try confirmation(in: folder).dropLast(".txt".count) + ending
            folder.move(report, to: String(typed))

            let outcome = try await folder.reconcile()

            #expect(outcome.removed.map(\.day).sorted() == [comet, crab])
            #expect(outcome.unrecognized == [])
            #expect(folder.status(String(typed)) == nil && folder.status(report) == nil)
        }
    }

    @Test func whatElseTheRenamedReportSaidIsSaidAgain() async throws {
        try await withHeldFavorites { folder in
            folder.link("nothing", to: "/etc")
            try await folder.reconcile()
            let confirmation = try confirmation(in: folder)
            folder.move(report, to: confirmation)

            try await folder.reconcile()

            let later = try #require(text(report, in: folder))
            #expect(later.contains("  nothing: ") && !later.contains("\(crab)"))
            #expect(folder.status(confirmation) == nil)
        }
    }

    /// The report was written again between the reading and the renaming.
    @Test func aFavoriteThatIsHeldSinceThePersonReadTheReportStays() async throws {
        try await withHeldFavorites { folder in
            let read = try confirmation(in: folder)
            folder.move("favorites", to: "elsewhere")
            folder.makeDirectory("favorites")
            try await folder.reconcile()
            #expect(folder.record(FolderUnderTest.moon)?.isHeld == true)
            folder.move(report, to: read)

            let outcome = try await folder.reconcile()

            #expect(outcome.removed.isEmpty && outcome.favorites.count == 3)
            #expect(folder.status(read) != nil)
            folder.advance(seconds: 61)
            try await folder.reconcile()
            let offered = try confirmation(in: folder)
            #expect(offered != read)
            folder.remove(read)
            try await folder.reconcile()
            folder.move(report, to: offered)
            #expect(try await folder.reconcile().removed.count == 3)
        }
    }

    /// It has the paths of pictures, which a person did not choose.
    @Test func aCopyOfTheReportIsNoFavorite() async throws {
        try await withFavorite { folder in
            folder.write(FolderUnderTest.crabPath, FolderUnderTest.picture("crab, retouched"))
            try await folder.reconcile()
            let copied = try #require(folder.read(report))
            #expect(PointerText.days(in: copied) == [crab])
            folder.write("favorites/Favorites to check (copy).txt", copied)
            folder.remove("favorites/x")
            try await folder.reconcile()
            folder.advance(seconds: 61)

            let outcome = try await folder.reconcile()

            #expect(outcome.removed.map(\.day) == [crab])
            #expect(outcome.unrecognized.map(\.name.text) == ["Favorites to check (copy).txt"])
        }
    }

    /// A second machine may carry a deletion over.
    @Test func deletingTheReportRemovesNothing() async throws {
        try await withHeldFavorites { folder in
            folder.remove(report)
            try await folder.reconcile()
            folder.advance(seconds: 61)
            folder.restart()

            let outcome = try await folder.reconcile()

            #expect(outcome.removed.isEmpty && outcome.favorites.count == 3)
            #expect(folder.status(report) == nil)

            // It comes back once it says something else.
            folder.link("nothing", to: "/etc")
            try await folder.reconcile()
            #expect(text(report, in: folder)?.contains("nothing") == true)
        }
    }

    /// As one that a backup or another machine brings back.
    @Test(arguments: [true, false], ["", ".txt"])
    func anotherTextOfThatNameRemovesNothing(isOldReport: Bool, ending: String) async throws {
        try await withHeldFavorites { folder in
            let old = try #require(folder.read(report))
            let confirmation = try confirmation(in: folder) + ending
            folder.link("a")
            try await folder.reconcile()
            folder.remove("favorites/a")
            try await folder.reconcile()
            folder.advance(seconds: 61)
            folder.write(confirmation, isOldReport ? old : Array("yes".utf8))

            let outcome = try await folder.reconcile()

            #expect(outcome.favorites[comet]?.isHeld == true)
            #expect(outcome.unrecognized.map(\.name.text) == [Layout.split(confirmation).name])
            #expect(folder.status(confirmation) != nil)
        }
    }

    /// The pin changes with the picture, because it is a hard link.
    private func edit(_ picture: String, in folder: FolderUnderTest) {
        for path in [FolderUnderTest.crabPath, "\(FavoriteStore.folder)/2026-11-20.jpg"] {
            folder.write(path, FolderUnderTest.picture(picture))
        }
    }

    @Test func theReportSaysWhereAnEditOfAPictureWillBe() async throws {
        try await withFavorite { folder in
            edit("crab, retouched", in: folder)
            try await folder.reconcile()
            let edited = try #require(text(report, in: folder))
            #expect(edited.contains("  \(FolderUnderTest.crabPath)\n"))
            #expect(edited.contains(Layout.damaged))

            edit("crab", in: folder)
            try await folder.reconcile()

            #expect(folder.status(report) == nil)
        }
    }

    @Test func theReportNamesNoPictureOfARemovedFavorite() async throws {
        try await withFavorite { folder in
            edit("crab, retouched", in: folder)
            try await folder.reconcile()
            #expect(folder.status(report) != nil)

            _ = try folder.commands.remove(["x"])[0].get()
            try await folder.reconcile()

            #expect(folder.record(FolderUnderTest.crab) == nil)
            #expect(folder.status(report) == nil)
        }
    }

    @Test func theReportSaysWhyAnItemIsNoFavorite() async throws {
        try await withFolder { folder in
            folder.link("November", to: "../pictures/2026/2026-11")
            folder.write("favorites/a\nb.txt", Array("hello".utf8))
            try await folder.reconcile()
            let lines = try #require(text(report, in: folder)).split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("  November: leads to the folder") })
            #expect(lines.contains { $0.hasPrefix("  a") && $0.contains("b.txt: ") })

            folder.remove("favorites/November")
            folder.remove("favorites/a\nb.txt")
            try await folder.reconcile()

            #expect(folder.status(report) == nil && folder.status(hint) != nil)
        }
    }

    @Test func theDraftThatAKilledProcessLeavesIsTakenOrRemoved() async throws {
        try await withFolder { folder in
            let draft = String(decoding: Directory.waitingPath(for: report), as: UTF8.self)
            folder.write(draft, Array("half".utf8))
            try await folder.reconcile()
            #expect(folder.status(draft) == nil && folder.status(report) == nil)

            folder.write(draft, Array("half".utf8))
            folder.write("favorites/blog.txt", Array("hello".utf8))
            try await folder.reconcile()

            #expect(folder.status(draft) == nil)
            #expect(text(report, in: folder)?.contains("  blog.txt: ") == true)
        }
    }
}
