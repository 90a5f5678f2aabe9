import APOD
import Glibc
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// The error of one file is never an obstacle of a sync.
@Suite(.timeLimit(.minutes(10))) struct UnreadableFileTests {
    /// What may be in the place of a file.
    enum Thing: Sendable {
        case directory, fifo, danglingLink, linkToDirectory, largeFile

        func put(at path: String, in root: Directory) throws {
            let absolute = "\(root.path)/\(path)"
            try root.remove(path)
            switch self {
            case .directory:
                let folder = try root.makeDirectory(path)
                try AtomicFile("mine", in: folder).publish(in: folder, as: "mine")
            case .fifo: try #require(unsafe mkfifo(absolute, 0o644) == 0)
            case .danglingLink: try #require(unsafe symlink("/nothing", absolute) == 0)
            case .linkToDirectory: try #require(unsafe symlink("..", absolute) == 0)
            case .largeFile:
                let file = try root.open(path, O_WRONLY | O_CREAT)
                try #require(ftruncate(file.rawValue, 64 << 20) == 0)
            }
        }
    }

    @Test(arguments: [Thing.directory, .fifo, .danglingLink, .linkToDirectory, .largeFile])
    func anotherThingInPlaceOfTheStateIsAnEmptyState(thing: Thing) async throws {
        try await withSyncedMirror { mirror in
            let before = try mirror.contents()
            try thing.put(at: Layout.state, in: mirror.tree.root)

            let summary = await mirror.sync()

            #expect(summary.obstacle == nil && summary.withFiles == 10)
            #expect(summary.newestWithFiles == MirrorUnderTest.newest)
            #expect(try mirror.store.state().newest == MirrorUnderTest.newest)
            #expect(try mirror.contents() == before)
        }
    }

    /// It is named, and no day lacks its picture for it.
    @Test(arguments: [true, false])
    func anotherThingInPlaceOfTheAdoptedPicturesKeepsNoDayAway(isLink: Bool) async throws {
        try await withMirror { mirror in
            if isLink {
                try mirror.tree.root.symlink(Layout.adopted, to: "..")
            } else {
                try mirror.write("mine", to: Layout.adopted)
            }

            let summary = await mirror.sync()

            #expect(summary.obstacle == nil && summary.withFiles == 10)
            let error = try mirror.store.state().lastError?.message
            #expect(error?.contains(Layout.adopted) == true, "\(error ?? "")")
            #expect(!mirror.tree.root.isCertainlyMissing(Layout.adopted))
        }
    }

    @Test func aPauseThatAServerAskedForOutlivesTheState() async throws {
        try await withMirror { mirror in
            let synchronizer = mirror.synchronizer()
            mirror.simulator.inject(.throttled(retryAfter: "3600"), on: .lists, times: 1)
            _ = await synchronizer.sync().summary()
            try mirror.tree.root.remove(Layout.state)
            mirror.simulator.resetLog()

            _ = await synchronizer.sync().summary()

            #expect(mirror.simulator.requests.isEmpty)
        }
    }

    @Test(arguments: [Thing.fifo, .danglingLink, .linkToDirectory, .largeFile])
    func anotherThingInPlaceOfARecordIsADamagedRecord(thing: Thing) async throws {
        try await withSyncedMirror { mirror in
            let before = try mirror.record(2)
            try thing.put(at: mirror.recordPath(2), in: mirror.tree.root)

            let summary = await mirror.sync()

            #expect(summary.obstacle == nil && summary.withFiles == 10)
            #expect(try mirror.record(2).picture?.sha256 == before.picture?.sha256)
        }
    }

    @Test func anEditWhoseRecordCannotBePublishedReplacesNoPicture() async {
        await #expect(processExitsWith: .success) {
            // Root may write everywhere.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withSyncedMirror { mirror in
                let november = mirror.absolute(
                    Layout.folder(Layout.metadata, of: MirrorUnderTest.newest))
                let before = try mirror.record(2)
                let path = try #require(before.picture?.path)
                let picture = try mirror.tree.root.read(path)
                try mirror.replacePicture(2)
                try #require(unsafe chmod(november, 0o555) == 0)

                await mirror.sync()

                #expect(try mirror.tree.root.read(path) == picture)
                try #require(unsafe chmod(november, 0o755) == 0)
                await mirror.sync()
                let after = try mirror.record(2)
                #expect(after.picture?.sha256 != before.picture?.sha256)
                #expect(try mirror.tree.hasFile(#require(after.picture?.file)))
            }
        }
    }

    /// Whether the days are complete is not known, so that they are neither missing nor complete.
    @Test(arguments: [Layout.metadata, Layout.pictures, "a record"])
    func theDaysOfAMonthThatCannotBeReadAreNotMissing(top: String) async {
        await #expect(processExitsWith: .success) { [top] in
            // Root may read everywhere.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withMirror(days: 40) { mirror in
                await mirror.sync(since: .days(40))
                let october = MirrorUnderTest.newest.advanced(by: -30)
                let isRecord = top == "a record"
                let path = mirror.absolute(
                    isRecord ? Layout.recordPath(of: october) : Layout.folder(top, of: october))
                // The record would not be read if nothing had changed in its month.
                let pictures = Layout.folder(Layout.pictures, of: october)
                try mirror.write("mine", to: "\(pictures)/\(october) mine.jpg")
                try #require(unsafe chmod(path, 0) == 0)

                let summary = await mirror.synchronizer(since: .days(40)).sync().summary()

                #expect(summary.missing == 0, "\(summary)")
                #expect(summary.withFiles == (isRecord ? 39 : 20), "\(summary)")
                #expect(summary.failure?.contains(path) == true, "\(summary)")
                try #require(unsafe chmod(path, 0o755) == 0)
                let later = await mirror.synchronizer(since: .days(40)).sync().summary()
                #expect(later.withFiles == 40 && later.failure == nil, "\(later)")
            }
        }
    }
}
