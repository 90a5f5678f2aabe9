import Glibc
import Mirror
import Platform
import Testing

@testable import Favorites

/// Changes by a user between a scan and its reconciliation.
@Suite(.timeLimit(.minutes(10))) struct RaceTests {
    @Test(arguments: ["another link", "a file", "nothing"])
    func onlyTheScannedLinkIsReplaced(_ thing: String) async throws {
        try await withFolder { folder in
            folder.link("x", to: "/mnt/nas/1")
            let item = try #require(Scan(of: folder.tree.root).items.first)
            folder.remove("favorites/x")
            if thing == "another link" { folder.link("x", to: "/mnt/nas/2") }
            if thing == "a file" { folder.write("favorites/x", [1]) }
            let before = changeTime(of: "favorites/x", in: folder)

            let links = FavoriteLinks(tree: folder.tree)
            #expect(try links.replace(item, withLinkTo: FolderUnderTest.crabPath) == nil)
            #expect(changeTime(of: "favorites/x", in: folder) == before)
            #expect(try folder.tree.root.folder(FavoriteLinks.staging)?.names().isEmpty != false)
        }
    }

    /// The item appeared after the last check before the replacement.
    @Test(arguments: ["another link", "a file"], [false, true])
    func anItemReplacedMeanwhileIsRestored(_ thing: String, isBeside: Bool) async throws {
        try await withFolder { folder in
            folder.link("x", to: "/mnt/nas/1")
            let item = try #require(Scan(of: folder.tree.root).items.first)
            // Beside it where the folder is on another file system.
            let moving = try folder.tree.root.makeDirectory(
                isBeside ? Layout.favorites : FavoriteLinks.staging)
            let spare = isBeside ? ".spare" : "x"
            folder.remove("favorites/x")
            if thing == "a file" {
                folder.write("favorites/x", [1])
            } else {
                folder.link("x", to: "/mnt/nas/2")
            }
            let favorites = try #require(try folder.tree.root.folder("favorites"))

            let exchange = LinkExchange(
                item: item, folder: favorites,
                temporary: ReplacedItem(folder: moving, name: Array(spare.utf8)),
                target: Array("../pictures".utf8))

            #expect(try !exchange.run())
            #expect(folder.target("x") == (thing == "a file" ? nil : "/mnt/nas/2"))
            #expect(folder.read("favorites/x") == (thing == "a file" ? [1] : nil))
            #expect(try moving.names().map(\.count) == (isBeside ? [1] : []))
        }
    }

    /// On a file system that cannot exchange two names.
    @Test(arguments: ["another link", "a file", "nothing"])
    func anItemReplacedMeanwhileIsRestoredWithoutExchange(_ thing: String) async throws {
        try await withFolder { folder in
            folder.link("x", to: "/mnt/nas/1")
            let item = try #require(Scan(of: folder.tree.root).items.first)
            let staging = try folder.tree.root.makeDirectory(FavoriteLinks.staging)
            folder.remove("favorites/x")
            if thing == "another link" { folder.link("x", to: "/mnt/nas/2") }
            if thing == "a file" { folder.write("favorites/x", [1]) }

            let exchange = LinkExchange(
                item: item, folder: try #require(try folder.tree.root.folder("favorites")),
                temporary: ReplacedItem(folder: staging, name: item.name.last),
                target: Array("../pictures".utf8))

            #expect(try !exchange.runWithoutExchange())
            #expect(folder.target("x") == (thing == "another link" ? "/mnt/nas/2" : nil))
            #expect(folder.read("favorites/x") == (thing == "a file" ? [1] : nil))
            #expect(try staging.names().isEmpty)
        }
    }

    /// The old link has no other name at any time, from which a crash could lose it.
    @Test func aLinkIsReplacedInOneStepWithoutExchange() async throws {
        try await withFolder { folder in
            folder.link("x", to: "/mnt/nas/1")
            let item = try #require(Scan(of: folder.tree.root).items.first)
            let staging = try folder.tree.root.makeDirectory(FavoriteLinks.staging)

            let exchange = LinkExchange(
                item: item, folder: try #require(try folder.tree.root.folder("favorites")),
                temporary: ReplacedItem(folder: staging, name: item.name.last),
                target: Array("../pictures".utf8))

            #expect(try exchange.runWithoutExchange())
            #expect(folder.target("x") == "../pictures")
            #expect(try staging.names().isEmpty)
        }
    }

    /// The text of the link is longer than any file system accepts.
    @Test(arguments: ["a link", "a file"])
    func anItemReturnsWithoutExchangeIfItsLinkCannotBeMade(_ thing: String) async throws {
        try await withFolder { folder in
            if thing == "a link" { folder.link("x", to: "/mnt/nas/1") }
            if thing == "a file" { folder.write("favorites/x", [1]) }
            let item = try #require(Scan(of: folder.tree.root).items.first)
            let staging = try folder.tree.root.makeDirectory(FavoriteLinks.staging)

            let exchange = LinkExchange(
                item: item, folder: try #require(try folder.tree.root.folder("favorites")),
                temporary: ReplacedItem(folder: staging, name: item.name.last),
                target: [UInt8](repeating: 0x61, count: 5000))

            #expect(throws: SystemError.self) { try exchange.runWithoutExchange() }
            #expect(folder.target("x") == (thing == "a link" ? "/mnt/nas/1" : nil))
            #expect(folder.read("favorites/x") == (thing == "a file" ? [1] : nil))
            #expect(try staging.names().isEmpty)
        }
    }

    @Test func onlyTheScannedFileIsReplaced() async throws {
        try await withFolder { folder in
            folder.write("favorites/x", [1])
            let item = try #require(Scan(of: folder.tree.root).items.first)
            folder.write("favorites/y", [2])
            folder.move("favorites/y", to: "favorites/x")

            let links = FavoriteLinks(tree: folder.tree)
            #expect(try links.replace(item, withLinkTo: FolderUnderTest.crabPath) == nil)
            #expect(folder.read("favorites/x") == [2])
        }
    }

    @Test func aLinkWhosePictureAppearsDuringTheScanIsNotReplaced() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.link("x", to: folder.path(FolderUnderTest.crabPath))
            folder.move(FolderUnderTest.crabPath, to: "away")
            let classified = Self.classified(folder)
            #expect(classified.references.map(\.kind) == [.link])
            folder.move("away", to: FolderUnderTest.crabPath)

            await folder.favorites.repairLinks(classified)

            #expect(await folder.favorites.outcome.events.isEmpty)
            #expect(folder.target("x") == folder.path(FolderUnderTest.crabPath))
        }
    }

    /// The link can be back by the time at which all files of the scan are read.
    @Test func theMinuteDoesNotEndWhileTheFilesOfAScanAreRead() async throws {
        try await withFolder { folder in
            let (uptime, reading) = (Monitor(1_000_000), Monitor(0))
            // Time passes after the start, with each reading of the date.
            let favorites = Favorites(
                tree: folder.tree,
                now: { [now = folder.now] in
                    uptime.withLock { $0 += reading.withLock { $0 } }
                    return now()
                },
                uptime: { Uptime(boot: "first", milliseconds: uptime.withLock { $0 }) })
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")
            _ = try await favorites.reconcile(Scan(of: folder.tree.root))
            folder.remove("favorites/x")
            _ = try await favorites.reconcile(Scan(of: folder.tree.root))
            uptime.withLock { $0 += 50_000 }
            let scan = Scan(of: folder.tree.root)
            reading.withLock { $0 = 20_000 }
            folder.link("x", to: "../\(FolderUnderTest.crabPath)")

            let outcome = try await favorites.reconcile(scan)

            #expect(outcome.removed.isEmpty)
            #expect(outcome.favorites[FolderUnderTest.crab]?.names.map(\.text) == ["x"])
        }
    }

    /// A classified scan of the folder.
    private static func classified(_ folder: FolderUnderTest) -> ClassifiedScan {
        var cache = ClassificationCache()
        return ClassifiedScan(
            Scan(of: folder.tree.root), in: folder.tree,
            resolver: LinkResolver(roots: [folder.root]), recorded: [:],
            cache: &cache, now: 0)
    }

    /// The change time in nanoseconds; see stat(2).
    private func changeTime(of path: String, in folder: FolderUnderTest) -> Int? {
        var status = stat()
        guard unsafe lstat(folder.path(path), &status) == 0 else { return nil }
        return status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec
    }

    /// The last change of the user persists, in any order of events.
    @Test(arguments: ["another link", "nothing"])
    func concurrentChangesOfAUserAreNotUndone(_ thing: String) async throws {
        try await withFolder(inMemory: true) { folder in
            let links = FavoriteLinks(tree: folder.tree)
            let (x, y) = (folder.path("favorites/x"), folder.path("y"))
            let turns = Monitor(0)
            startThread("user") {
                for turn in 1...2000 {
                    _ = turns.wait { $0 == 2 * turn - 1 ? true : nil }
                    _ = unsafe thing == "nothing" ? unlink(x) : rename(y, x)
                    turns.withLock { $0 += 1 }
                    turns.signal()
                }
            }
            for turn in 1...2000 {
                folder.link("x", to: "/mnt/nas/1")
                if thing != "nothing" { try folder.tree.root.symlink("y", to: "/mnt/nas/2") }
                let item = try #require(Scan(of: folder.tree.root).items.first)
                turns.withLock { $0 += 1 }
                turns.signal()
                let replaced = try links.replace(item, withLinkTo: FolderUnderTest.crabPath)
                try replaced?.folder.remove(replaced?.name ?? [])
                _ = turns.wait { $0 == 2 * turn ? true : nil }

                try #require(folder.target("x") == (thing == "nothing" ? nil : "/mnt/nas/2"))
                folder.remove("favorites/x")
            }
            #expect(try folder.tree.root.folder(FavoriteLinks.staging)?.names().isEmpty != false)
        }
    }

    @Test func onlyTheScannedOriginalIsReturned() async throws {
        try await withFolder { folder in
            try await folder.reconcile()
            folder.move(FolderUnderTest.crabPath, to: "favorites/x")
            let classified = Self.classified(folder)
            #expect(classified.references.map(\.kind) == [.copy])
            folder.write("favorites/y", FolderUnderTest.picture("crab"))
            folder.move("favorites/y", to: "favorites/x")

            await folder.favorites.returnOriginals(in: classified, earlier: .init())

            #expect(await folder.favorites.outcome.events.isEmpty)
            #expect(folder.status("favorites/x")?.kind == .file)
            #expect(folder.read(FolderUnderTest.crabPath) == nil)
        }
    }

    @Test func onlyTheScannedFileIsRead() async throws {
        try await withFolder { folder in
            folder.write("favorites/x", [1])
            let item = try #require(Scan(of: folder.tree.root).items.first)
            var classifier = Classifier(
                Scan(place: .missing), in: folder.tree, resolver: LinkResolver(roots: []),
                recorded: [:])
            #expect(try classifier.readStart(item) == [1])
            folder.write("favorites/y", [2])
            folder.move("favorites/y", to: "favorites/x")

            #expect(throws: SystemError.self) { try classifier.readStart(item) }
        }
    }

    /// A member of the group lets a copy grow, which would be read without end.
    @Test func aFileThatGrewSinceTheScanIsNotHashed() async throws {
        try await withFolder { folder in
            folder.write("favorites/x", FolderUnderTest.picture("crab"))
            let item = try #require(Scan(of: folder.tree.root).items.first)
            var classifier = Classifier(
                Scan(place: .missing), in: folder.tree, resolver: LinkResolver(roots: []),
                recorded: [:])
            #expect(unsafe truncate(folder.path("favorites/x"), 3 << 30) == 0)

            let error = #expect(throws: SystemError.self) {
                _ = try classifier.classifyByMirror(item)
            }

            #expect(error?.code == EFBIG)
        }
    }

    @Test(arguments: [(100, 103, true), (100, 102, false), (100, 100, false), (100, 50, true)])
    func theClassificationOfARecentlyWrittenFileIsNotCached(
        modified: Int, now: Int, isCached: Bool
    ) throws {
        var cache = ClassificationCache()
        let item = ScannedItem(
            name: try #require(FavoriteName("x")), kind: .file,
            identity: FileIdentity(device: 1, inode: 1), size: 1,
            linkTarget: nil, modified: modified)

        cache.store(.ignored, for: item, now: now)

        #expect((cache[item] == .ignored) == isCached)
    }
}
