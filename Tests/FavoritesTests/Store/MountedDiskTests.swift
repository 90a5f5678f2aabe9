import APOD
import FoundationEssentials
import Mirror
import Platform
import TestSupport
import Testing

@testable import Favorites

/// Disks that are mounted in folders of `favorites/`: what another disk does not have was not removed.
@Suite(.timeLimit(.minutes(10))) struct MountedDiskTests {
    let crab = FolderUnderTest.crab
    let comet = FolderUnderTest.comet
    let crabPath = "../../\(FolderUnderTest.crabPath)"
    let cometPath = "../../\(FolderUnderTest.cometPath)"
    let first = DirectoryIdentity(inode: 2, origin: "the first disk")
    let second = DirectoryIdentity(inode: 2, origin: "the second disk")

    /// Three scans, each a minute after the one before, with `disk` mounted at `usb`.
    private func scan(_ folder: FolderUnderTest, _ disk: DirectoryIdentity?) async throws {
        for _ in 1...3 {
            let scan = Scan(of: folder.tree.root)
            let mounts = disk.map { [Array("usb".utf8): $0] } ?? [:]
            folder.restart()
            _ = try await folder.favorites.reconcile(
                Scan(
                    place: scan.place, items: scan.items, permissions: scan.permissions,
                    mounts: mounts), checksAll: true)
            folder.advance(seconds: 61)
        }
    }

    /// A favorite that was found while `disk` was mounted stays while `others` are, and is that of `disk` again.
    private func expectFavoriteStays(
        of disk: DirectoryIdentity?, while others: [DirectoryIdentity?]
    ) async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: crabPath)
            try await scan(folder, disk)
            let added = try #require(folder.record(crab)?.added)
            folder.move("favorites/usb", to: "away")
            folder.makeDirectory("favorites/usb")
            for other in others { try await scan(folder, other) }
            #expect(folder.record(crab)?.isMissing == false)

            folder.remove("favorites/usb")
            folder.move("away", to: "favorites/usb")
            try await scan(folder, disk)
            #expect(folder.record(crab)?.added == added)
            folder.remove("favorites/usb/x")
            try await scan(folder, disk)
            #expect(folder.record(crab) == nil)
        }
    }

    @Test func favoritesOfADiskStayWhileAnotherIsMounted() async throws {
        try await expectFavoriteStays(of: first, while: [nil, second, nil, second])
    }

    @Test func coveredFavoritesStay() async throws {
        try await expectFavoriteStays(of: nil, while: [first])
    }

    /// One favorite is covered by a disk, the other one is on it.
    @Test func favoritesBelowAndOnADiskStay() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: crabPath)
            try await scan(folder, nil)
            for disk in [first, nil, first, nil] {
                folder.remove("favorites/usb")
                folder.makeDirectory("favorites/usb")
                if disk == nil {
                    folder.link("usb/x", to: crabPath)
                } else {
                    folder.link("usb/y", to: cometPath)
                }
                try await scan(folder, disk)
                #expect(folder.record(crab)?.isMissing == false)
                #expect(folder.record(comet)?.isMissing == false)
            }
        }
    }

    /// As after a copy to a new disk.
    @Test func anotherDiskWithAllLinksIsTrusted() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: crabPath)
            try await scan(folder, first)
            try await scan(folder, second)
            folder.remove("favorites/usb/x")
            try await scan(folder, second)
            #expect(folder.record(crab) == nil)
        }
    }

    @Test func favoritesOfADiskWithoutAnIdentityStay() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: crabPath)
            try await scan(folder, DirectoryIdentity.unknown)
            folder.remove("favorites/usb/x")
            try await scan(folder, DirectoryIdentity.unknown)
            #expect(folder.record(crab)?.isMissing == false)
        }
    }

    @Test func pathsOfOlderVersionsAreRead() async throws {
        try await withFolder { folder in
            folder.makeDirectory("favorites/usb")
            folder.link("usb/x", to: crabPath)
            try await scan(folder, first)
            let path = ".apod-mirror/favorites/folder.json"
            let text = String(decoding: try #require(folder.read(path)), as: UTF8.self)
            let old = text.replacing("\"disks\"", with: "\"unknown\"")
            #expect(old != text)
            folder.write(path, Array(old.utf8))
            folder.remove("favorites/usb/x")

            for disk in [nil, first] { try await scan(folder, disk) }

            #expect(folder.record(crab)?.isMissing == false)
        }
    }
}
