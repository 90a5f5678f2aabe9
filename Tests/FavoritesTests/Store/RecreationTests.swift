import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// `favorites/` is created again.
@Suite(.timeLimit(.minutes(10))) struct RecreationTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet

    /// One name is below another one: its link cannot be created, as on a file system without links.
    @Test func aFavoriteWithoutALinkInTheRecreatedDirectoryIsHeld() async throws {
        try await withFolder { folder in
            folder.link("x", to: "../\(FolderUnderTest.cometPath)")
            try await folder.reconcile()
            let name = try #require(FavoriteName("x/y"))
            try FavoriteStore(tree: folder.tree).write([
                Favorite(day: crab, added: folder.now(), names: [name], kind: .link)
            ])
            folder.restart()
            folder.remove("favorites")

            let outcome = try await folder.reconcile()

            #expect(folder.target("x") == "../\(FolderUnderTest.cometPath)")
            #expect(outcome.favorites.values.filter(\.isHeld).map(\.day) == [crab])
            #expect(!outcome.events.contains(.folderRecreated))
            for _ in 1...2 {
                folder.advance(seconds: 61)
                folder.restart()
                try await folder.reconcile()
            }
            #expect(folder.record(crab)?.isHeld == true)
            #expect(folder.record(comet)?.isMissing == false)
        }
    }

    enum Missing: CaseIterable {
        case directory, links, someLinks, permissions
    }

    /// Interrupted before the new directory has something.
    @Test(arguments: Missing.allCases)
    func anInterruptedRecreationIsFinished(missing: Missing) async throws {
        try await withFolder { folder in
            precondition(unsafe chmod(folder.path("favorites"), 0o750) == 0)
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            folder.makeDirectory("favorites/a")
            folder.link("a/y", to: "../../\(FolderUnderTest.cometPath)")
            try await folder.reconcile()
            let store = FavoriteStore(tree: folder.tree)
            var unfinished = try #require(try store.lastScannedDirectory())
            unfinished.isUnfinished = true
            try store.write(unfinished)
            precondition(unsafe chmod(folder.path("favorites"), 0o700) == 0)
            if missing != .permissions { folder.remove("favorites") }
            if [.links, .someLinks].contains(missing) { folder.makeDirectory("favorites/a") }
            if missing == .someLinks {
                folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            }
            folder.restart()

            for _ in 1...2 {
                let outcome = try await folder.reconcile()
                #expect(outcome.favorites.values.filter(\.isMissing).isEmpty)
                #expect(folder.target("x") == "../\(FolderUnderTest.crabPath)")
                #expect(folder.target("a/y") == "../../\(FolderUnderTest.cometPath)")
                #expect(try folder.tree.root.folder("favorites")?.permissions().mode == 0o750)
                #expect(try store.lastScannedDirectory()?.permissions?.mode == 0o750)
                #expect(try store.lastScannedDirectory()?.isUnfinished == false)
            }
        }
    }

    @Test func aCommandInALogLineQuotesThePath() {
        let permissions = DirectoryPermissions(
            group: 0, mode: 0o2775, accessList: [], defaultList: [])
        let event = ReconcileEvent.folderLacksPermissions(path: "/srv/my mirror", permissions)

        #expect("\(event)".contains("chmod 2775 '/srv/my mirror'"))
    }

    /// In a user namespace, a group that it does not map is shown as this one.
    @Test(.enabled(if: getuid() == 0, "changes the group of a folder"))
    func anUnmappedGroupIsNeverRecorded() async throws {
        try await withFolder { folder in
            let store = FavoriteStore(tree: folder.tree)
            precondition(unsafe chown(folder.path("favorites"), 0, 12_345) == 0)
            precondition(unsafe chmod(folder.path("favorites"), 0o2775) == 0)
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            try await folder.reconcile()
            precondition(unsafe chown(folder.path("favorites"), 0, 65_534) == 0)
            try await folder.reconcile()
            #expect(try store.lastScannedDirectory()?.permissions?.group == 12_345)

            folder.remove("favorites")
            try await folder.reconcile()
            let made = try folder.tree.root.folder("favorites")
            #expect(try made?.permissions().group == 12_345)

            // Recorded by an older version.
            let path = ".apod-mirror/favorites/folder.json"
            let text = String(decoding: try #require(folder.read(path)), as: UTF8.self)
            folder.write(path, Array(text.replacing("12345", with: "65534").utf8))
            #expect(try store.lastScannedDirectory()?.permissions == nil)
        }
    }
}
