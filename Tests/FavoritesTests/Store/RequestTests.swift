import FoundationEssentials
import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// Requests of any user, and files in `.apod-mirror` that cannot be read or written.
@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet
    let requests = ".apod-mirror/requests"

    /// It is not followed.
    @Test func aLinkInPlaceOfTheRequestsIsReportedAndPreventsNoScan() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.remove(requests)
            folder.write("elsewhere/2026-11-20.forget", [])
            try folder.tree.root.symlink(requests, to: "../elsewhere")
            folder.link("x")

            let outcome = try await folder.reconcile()

            #expect(outcome.failures.contains { "\($0)".contains(requests) })
            #expect(outcome.favorites[crab] != nil)
            #expect(folder.status(".apod-mirror/favorites/2026-11-20.jpg") != nil)
        }
    }

    /// A scan may have listed the link that “favorites remove” deleted before it made its request.
    @Test func aRequestIsAppliedByTheScanThatBeginsAfterIt() async throws {
        try await withFavorite { folder in
            let scan = Scan(of: folder.tree.root)
            folder.remove("favorites/x")
            try FavoriteStore(tree: folder.tree).requestForget(crab)

            #expect(try await folder.favorites.reconcile(scan).removed.isEmpty)
            #expect(try await folder.reconcile().removed.map(\.day) == [crab])
            #expect(folder.status("\(requests)/2026-11-20.forget") == nil)
        }
    }

    @Test func aLinkThatIsBackOutlivesTheRequest() async throws {
        try await withFavorite { folder in
            try FavoriteStore(tree: folder.tree).requestForget(crab)

            #expect(try await folder.reconcile().removed.isEmpty)
            #expect(folder.status("\(requests)/2026-11-20.forget") == nil)
        }
    }

    /// The daemon is stopped, or the disk is full.
    @Test func aFavoriteWhoseRemovalWaitsCanBeRestored() async throws {
        try await withFavorite { folder in
            _ = try folder.commands.remove(["\(crab)"]).map { try $0.get() }
            #expect(try folder.commands.removedFavorites().map(\.favorite.day) == [crab])

            #expect(try folder.commands.restored(["\(crab)"]).map(\.text) == ["x"])

            #expect(try await folder.reconcile().removed.isEmpty)
            #expect(folder.record(crab)?.isMissing == false)
        }
    }

    @Test func aRequestIsKeptUntilItsFavoriteCanBeRemoved() async throws {
        try await withFavorite { folder in
            let removed = Layout.trash
            folder.write(removed, [1])
            folder.remove("favorites/x")
            try FavoriteStore(tree: folder.tree).requestForget(crab)
            #expect(try await !folder.reconcile().failures.isEmpty)
            #expect(folder.record(crab) != nil)

            folder.remove(removed)
            try await folder.reconcile()

            #expect(folder.record(crab) == nil)
        }
    }

    /// A power cut left the pin in the trash and with its old name: the next scan would find a favorite in that one.
    @Test func aPinWithBothNamesIsRemoved() async throws {
        try await withFavorite { folder in
            let pin = ".apod-mirror/favorites/2026-11-20.jpg"
            let store = FavoriteStore(tree: folder.tree)
            folder.remove("favorites/x")
            try store.requestForget(crab)
            try await folder.reconcile()
            let trash = try #require(try Store(reading: folder.tree).trashFolders().first)
            let root = folder.tree.root
            let name = Store.nameOfRemovedFavorite(crab, ".jpg")
            try root.link("\(Layout.trash)/\(trash.date)/\(name)", to: root, as: pin)

            try store.requestForget(crab)
            try await folder.reconcile()
            try await folder.reconcile()

            #expect(folder.status(pin) == nil)
            #expect(folder.record(crab) == nil)
        }
    }

    /// A power cut left the returned pin in the trash, too: it counts as the pin that the favorite has.
    @Test func aReturnedPinWithBothNamesLeavesTheTrash() async throws {
        try await withFavorite { folder in
            let pin = ".apod-mirror/favorites/2026-11-20.jpg"
            folder.remove("favorites/x")
            try FavoriteStore(tree: folder.tree).requestForget(crab)
            try await folder.reconcile()
            let trash = try #require(try Store(reading: folder.tree).trashFolders().first)
            let root = folder.tree.root
            let name = Store.nameOfRemovedFavorite(crab, ".jpg")
            let removed = "\(Layout.trash)/\(trash.date)/\(name)"
            try root.link(removed, to: root, as: pin)
            folder.link("x")

            try await folder.reconcile()

            #expect(folder.status(pin) != nil)
            #expect(folder.status(removed) == nil)
        }
    }

    /// It is moved aside, under another name than the one before.
    @Test func aDirectoryInPlaceOfARecordPreventsNoFavorite() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.makeDirectory(".apod-mirror/favorites/2026-11-20.json/inner")
            folder.makeDirectory(".apod-mirror/favorites/2026-11-20.json.damaged/inner")
            folder.link("x")
            folder.link("y", toPicture: FolderUnderTest.cometPath)
            folder.restart()

            _ = try? await folder.reconcile()

            #expect(folder.record(crab)?.names.map(\.text) == ["x"])
            #expect(folder.record(comet)?.names.map(\.text) == ["y"])
            #expect(folder.status(".apod-mirror/favorites/2026-11-19.jpg") != nil)
        }
    }

    @Test func aRequestWaitsUntilTheRecordOfItsFavoriteCanBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withFolderOfNobody { folder in
                let crab = FolderUnderTest.crab
                folder.link("x")
                try await folder.reconcile()
                let record = folder.path(".apod-mirror/favorites/2026-11-20.json")
                precondition(unsafe chmod(record, 0) == 0)
                folder.remove("favorites/x")
                try FavoriteStore(tree: folder.tree).requestForget(crab)
                folder.restart()
                _ = try? await folder.reconcile()
                precondition(unsafe chmod(record, 0o644) == 0)

                #expect(try await folder.reconcile().removed.map(\.day) == [crab])
            }
        }
    }
}
