import Glibc
import JSON
import MirrorTesting
import Platform
import TestSupport
import Testing

@testable import Mirror

@Suite struct TreeTests {
    let known = KnownMirrors(environment: [:])

    /// A repair takes hours, and systemd does not start the service again after the error.
    @Test(arguments: [
        (FileLock.Role.daemon, FileLock.Role?.some(.command), true, true),
        (.daemon, .daemon, true, false),
        (.daemon, .daemon, false, true), (.daemon, nil, true, false),
        (.command, .command, false, true),
        (.command, .command, true, false), (.command, .daemon, false, false),
    ])
    func aDaemonWaitsForACommandAsLongAsItTakes(
        role: FileLock.Role, holder: FileLock.Role?, isOverdue: Bool, mayWait: Bool
    ) {
        #expect(Tree.mayWait(role, for: holder, isOverdue: isOverdue) == mayWait)
    }

    /// Also beside the folders of packages, file systems and NAS.
    @Test func aMirrorIsCreatedOnceAndOpenedAgain() async throws {
        try await withTemporaryFolder { path in
            let names = [
                "favorites", "lost+found", "@eaDir", "#recycle", ".Trash-1000", ".DS_Store",
                "System Volume Information", "$RECYCLE.BIN",
            ]
            for name in names {
                _ = try Directory(opening: path).makeDirectory("a/b/\(name)")
            }
            let id = try Tree.writing("\(path)/a/b", known: known).id

            #expect(try Tree.writing("\(path)/a/b", known: known).id == id)
            #expect(try Tree.reading("\(path)/a/b", known: known).id == id)
        }
    }

    /// The days of drafts are marked, and a crash in the same day is recognized.
    @Test func draftsOfAKilledProcessAreFoundAfterAListingThatFailed() async throws {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { path in
                let incoming = try Directory(opening: path)
                let day = MirrorUnderTest.newest
                let draft = AtomicFile.uniqueName(
                    UnfinishedDownloads.draftName(of: day, source: "0"))
                _ = try incoming.open(draft, O_WRONLY | O_CREAT)
                var unfinished = UnfinishedDownloads()

                withFewDescriptors { unfinished.collect(in: incoming) }
                #expect(try incoming.textNames() == [draft])
                unfinished.collect(in: incoming)

                #expect(unfinished.markedDays == [day])
                #expect(try incoming.textNames() == [UnfinishedDownloads.markName(of: day)])
            }
        }
    }

    /// What happens to a mirror that is open.
    enum Loss: String, CaseIterable {
        case none = ":"
        case moved = "mv a b"
        case exchanged = "mv a b && mkdir a"
        case copied = "mv a b && cp -a b a"
        case withoutLock = "rm a/.apod-mirror/lock"
        case anotherLock = "mv a/.apod-mirror/lock a/x && touch a/.apod-mirror/lock"
        case withoutOwnFolder = "rm -r a/.apod-mirror"
        case withoutIncoming = "find a -type d -empty -delete"
        case newIncoming = "rm -r a/.apod-mirror/incoming && mkdir a/x a/.apod-mirror/incoming"
        case anotherIncoming = "mv a/.apod-mirror/incoming a/x && mkdir a/.apod-mirror/incoming"

        /// Whether the mirror is not at its path any more; otherwise it can be opened there again.
        var isOfMirror: Bool { [.moved, .exchanged, .withoutOwnFolder].contains(self) }

        /// Whether the store goes on: it makes a deleted `incoming/` again.
        var isHarmless: Bool { [.none, .withoutIncoming, .newIncoming].contains(self) }
    }

    @Test(arguments: Loss.allCases)
    func anOpenMirrorThatIsNotAtItsPathIsNoticed(loss: Loss) async throws {
        try await withTemporaryFolder { path in
            let tree = try Tree.writing("\(path)/a", known: known)
            let store = try Store(tree: tree, minimumFree: 0)

            #expect(unsafe system("cd '\(path)' && \(loss.rawValue)") == 0)

            do {
                try store.checkIsInPlace()
                #expect(loss.isHarmless)
                try store.save(SyncState())
            } catch let error as TreeError {
                switch error {
                case .gone: #expect(loss.isOfMirror)
                case .replaced: #expect(!loss.isHarmless && !loss.isOfMirror)
                default: throw error
                }
            }
        }
    }

    /// A new folder would look like that of the mirror, without its identity and without what else is lost.
    @Test func anOpenMirrorMakesNoHiddenFolderInPlaceOfALostOne() async throws {
        try await withTemporaryFolder { path in
            let tree = try Tree.writing(path, known: known)
            let store = try Store(tree: tree, minimumFree: 0)
            try tree.root.rename(Layout.own, to: tree.root, as: "trash")

            #expect(throws: SystemError.self) { try store.save(SyncState()) }
            #expect(throws: SystemError.self) { try tree.root.makeDirectory(Layout.requests) }

            #expect(try tree.root.textNames() == ["trash"])
        }
    }

    @Test func aStoreThatReadsPublishesNothing() async throws {
        try await withTemporaryFolder { path in
            let tree = try Tree.writing("\(path)/a", known: known)
            let store = Store(reading: tree)
            let before = try tree.root.names()
            let error = SystemError(
                "open", path: "\(tree.root.path)/\(Layout.incoming)", code: EROFS)

            #expect(throws: error) { _ = try store.makeDraft("x") }
            #expect(throws: error) { try store.save(SyncState()) }

            #expect(try tree.root.names() == before)
            #expect(try tree.root.status(Layout.state) == nil)
        }
    }

    @Test func anotherFormatAndADamagedMarkerAreRejected() async throws {
        try await withTemporaryFolder { path in
            _ = try Tree.writing(path, known: known)
            let own = try #require(try Directory(opening: path).folder(Layout.own))
            for format in [2, 4] {
                let other: JSON = ["format": .integer(format), "id": "x"]
                try AtomicFile.publish(other.document, in: own, as: "mirror.json", through: own)
                #expect(throws: TreeError.otherFormat(path, found: format, known: 3)) {
                    try Tree.writing(path, known: known)
                }
            }

            for damaged in [
                "", "{", "[]", "{\"format\": 3}", "{\"format\": -1, \"id\": \"x\"}",
            ] {
                try AtomicFile.publish(
                    Array(damaged.utf8), in: own, as: "mirror.json", through: own)
                #expect(throws: TreeError.damagedMarker(path)) {
                    try Tree.writing(path, known: known)
                }
            }
        }
    }

    @Test func aMirrorWithoutItsMarkerIsNotReportedAsEmpty() async throws {
        try await withTemporaryFolder { path in
            let root = try Tree.writing(path, known: known).root
            try root.remove(Layout.marker)

            #expect(throws: TreeError.missingMarker(path)) {
                try Tree.reading(path, known: known)
            }
            #expect(throws: Never.self) { _ = try Tree.writing(path, known: known) }
        }
    }

    @Test func whatAPersonPutIntoIncomingIsMovedAsideAndTheRestRemoved() async throws {
        let names = [
            "My Comet.jpg", "2026-11-20 My Comet.jpg", "2026-11-20 part 2.jpg", "0123456789abcdef",
            "comet 0123456789abcdeF", "doctor-notes-2026.txt", "doctor-7-my only photo.jpg",
            "2019-01-01.json",
        ]
        try await withTemporaryFolder { path in
            _ = try Tree.writing(path, known: known)
            let incoming = try #require(try Directory(opening: path).folder(Layout.incoming))
            let unfinished = [AtomicFile.uniqueName("2026-11-20.picture.part")]
            for name in names + unfinished {
                try AtomicFile.publish([1, 2], in: incoming, as: name, through: incoming)
            }
            // Any item, also in place of a record, prevents no start.
            _ = try incoming.makeDirectory("empty")
            _ = try incoming.makeDirectory("2026-11-20.json")
            _ = try incoming.makeDirectory("full/inner")
            _ = unsafe mkfifo("\(path)/\(Layout.incoming)/fifo", 0o644)
            try incoming.symlink("link", to: "/etc/passwd")

            let tree = try Tree.writing(path, known: known)

            for name in names {
                #expect(try tree.root.read("\(Layout.aside)/\(name)") == [1, 2], "\(name)")
            }
            let moved = tree.takeMovedItems()
            let paths = names.map { "\(Layout.incoming)/\($0)" }
            #expect(Set(moved.map(\.path)).isSuperset(of: paths) && tree.takeMovedItems() == [])
            #expect(moved.allSatisfy { $0.reason.contains("; it is in \(Layout.aside)/") })
            let aside = try #require(try tree.root.folder(Layout.aside)?.textNames())
            #expect(Set(aside).isDisjoint(with: unfinished))
            #expect(try tree.root.status("\(Layout.aside)/full/inner")?.kind == .directory)
            #expect(try tree.root.folder(Layout.incoming)?.names() == [])
            _ = try Store(tree: tree, minimumFree: 0)
        }
    }

    @Test func aLinkInPlaceOfIncomingIsMovedAside() async throws {
        try await withTemporaryFolder { path in
            _ = try Tree.writing(path, known: known)
            removeTree("\(path)/\(Layout.incoming)")
            try Directory(opening: "\(path)/\(Layout.own)").symlink("incoming", to: "/tmp")

            let tree = try Tree.writing(path, known: known)

            #expect(try tree.root.folder(Layout.incoming)?.names() == [])
            #expect(tree.takeMovedItems().map(\.path) == [Layout.incoming])
        }
    }

    /// Also where a directory above the list of mirrors is a link.
    @Test(arguments: [nil, "home", "home/.local", "home/.local/state"])
    func aMirrorOnAnUnmountedDiskIsRecognized(link: String?) async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path)
            if let link {
                _ = try folder.makeDirectory("elsewhere")
                let above = Layout.split(link).folder
                if above != "." { _ = try folder.makeDirectory(above) }
                try folder.symlink(link, to: "\(path)/elsewhere")
            }
            let known = KnownMirrors(environment: ["HOME": "\(path)/home"])
            let home = "\(path)/mirror"
            _ = try Tree.writing(home, known: known)
            removeTree("\(home)/\(Layout.own)")
            #expect(throws: TreeError.unmounted(home)) { try Tree.writing(home, known: known) }
            #expect(throws: TreeError.unmounted(home)) { try Tree.reading(home, known: known) }
            #expect(try Directory(opening: home).names() == [])

            // As the error says.
            _ = unsafe mkdir("\(home)/\(Layout.own)", 0o755)
            _ = try Tree.writing(home, known: known)
        }
    }

    /// As after a restore from a backup of the visible files only; a reader would be told to mount a disk.
    @Test(arguments: [true, false])
    func aMirrorWithoutItsHiddenFilesIsNoUnmountedOne(isKnown: Bool) async throws {
        try await withTemporaryFolder { path in
            let known = KnownMirrors(environment: ["HOME": "\(path)/home"])
            let home = "\(path)/mirror"
            if isKnown { _ = try Tree.writing(home, known: known) }
            removeTree("\(home)/\(Layout.own)")
            for name in [Layout.pictures, Layout.metadata] {
                _ = try Directory(opening: path).makeDirectory("mirror/\(name)")
            }

            let error = TreeError.withoutHiddenFiles(home)
            #expect(throws: error) { try Tree.writing(home, known: known) }
            #expect(throws: error) { try Tree.reading(home, known: known) }
        }
    }

    /// As if its deletion was interrupted; one that lacks only the marker is repaired, and an empty one is a person's decision.
    @Test(arguments: [
        ([], true), ([".DS_Store", "@eaDir"], true), (["lock", "state.json"], true),
        (["state.json"], false),
    ])
    func aMirrorWithARestOfItsHiddenFilesIsRefused(names: [String], isMirror: Bool) async throws {
        try await withTemporaryFolder { path in
            let root = try Directory(opening: path)
            for name in [Layout.pictures, Layout.metadata] { _ = try root.makeDirectory(name) }
            let own = try root.makeDirectory(Layout.own)
            for name in names { try AtomicFile.publish([], in: own, as: name, through: own) }

            let error = TreeError.withoutHiddenFiles(path)
            #expect(throws: isMirror ? .missingMarker(path) : error) {
                try Tree.reading(path, known: known)
            }
            if isMirror {
                #expect(try Tree.previewing(path, known: known) == nil)
                _ = try Tree.writing(path, known: known)
            } else {
                #expect(throws: error) { try Tree.previewing(path, known: known) }
                #expect(throws: error) { try Tree.writing(path, known: known) }
                #expect(try own.textNames() == names)
            }
        }
    }

    @Test func anUnreadableListOfMirrorsIsReportedAndNotReplaced() async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path).makeDirectory("state/apod-mirror")
            _ = unsafe mkfifo("\(path)/state/apod-mirror/mirrors", 0o644)
            let reports = Monitor([String]())
            let known = KnownMirrors(environment: ["XDG_STATE_HOME": "\(path)/state"]) { line in
                reports.withLock { $0.append(line) }
            }

            _ = try Tree.writing("\(path)/mirror", known: known)

            #expect(!reports.withLock { $0 }.isEmpty)
            #expect(try folder.status("mirrors")?.kind == .other)
        }
    }

    /// A cleaner of caches has emptied its directory, or its disk was full at the start of the daemon.
    @Test(arguments: [true, false])
    func anOpenMirrorIsAddedAgainToAListThatLacksIt(wasListed: Bool) async throws {
        try await withTemporaryFolder { path in
            let state = try Directory(opening: path).makeDirectory("state")
            let known = KnownMirrors(environment: ["XDG_STATE_HOME": state.path], report: { _ in })
            let home = "\(path)/mirror"
            // In place of the directory of the list.
            if !wasListed {
                try AtomicFile.publish([], in: state, as: "apod-mirror", through: state)
            }
            let tree = try Tree.writing(home, known: known)
            #expect(try known.contains(home) == wasListed)
            removeTree("\(state.path)/apod-mirror")

            tree.addToKnownMirrors()

            #expect(try known.contains(home))
            // The order says which mirror was opened last.
            _ = try Tree.writing("\(path)/second", known: known)
            tree.addToKnownMirrors()
            #expect(try known.lastOpened == "\(path)/second")
        }
    }

    @Test func theListOfMirrorsIsNotWrittenIntoTheMirror() async throws {
        try await withTemporaryFolder { path in
            let known = KnownMirrors(environment: ["HOME": "\(path)/mirror"])

            _ = try Tree.writing("\(path)/mirror", known: known)

            #expect(try Directory(opening: "\(path)/mirror").textNames() == [Layout.own])
        }
    }

    @Test func aRemovedMirrorIsDistinguishedFromAnUnmountedOne() async throws {
        try await withTemporaryFolder { path in
            let known = KnownMirrors(environment: ["XDG_STATE_HOME": "\(path)/state"])
            let home = "\(path)/mirror"
            _ = try Tree.writing(home, known: known)
            removeTree(home)
            _ = try Tree.writing(home, known: known)
            removeTree(home)

            known.add(home, on: 4_000_000_000)

            #expect(throws: TreeError.unmounted(home)) { try Tree.writing(home, known: known) }
        }
    }

    /// The cause would be about the directory above, such as one that belongs to another user, or the sandbox of the service.
    @Test func aRemovedMirrorThatCannotBeMadeAgainIsSaidToBeGone() async throws {
        try await withTemporaryFolder { path in
            let known = KnownMirrors(environment: ["XDG_STATE_HOME": "\(path)/state"])
            let status = try Directory(opening: "/proc").status()
            known.add("/proc/apod", on: UInt(status.identity.device))

            #expect(throws: TreeError.gone("/proc/apod")) {
                try Tree.writing("/proc/apod", known: known)
            }
        }
    }
}
