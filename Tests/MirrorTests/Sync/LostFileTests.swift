import APOD
import FoundationEssentials
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// What a person did to a file that a record names: a day is complete if the file is there, in its size.
@Suite(.timeLimit(.minutes(10))) struct LostFileTests {
    let day = MirrorUnderTest.newest.advanced(by: -1)

    /// What a person does with the picture of a day.
    enum Act: CaseIterable, Sendable {
        case deletes, renames, renamesBesideACopy, copiesAndDeletes, movesToAnotherMonth, cuts
        case replacesByALink, replacesByAFolder, deletesBesideAVideo

        /// - Returns: The path of the person's own file; `nil` if there is none.
        func perform(on path: String, in mirror: MirrorUnderTest) throws -> String? {
            let root = mirror.tree.root
            let stem = path.dropLast(4)
            let mine = "\(stem) at sea.jpg"
            switch self {
            case .deletes: try root.remove(path)
            case .renames: try mirror.move(path, to: mine)
            case .renamesBesideACopy:
                try mirror.write("mine", to: "\(stem) (copy).jpg")
                try mirror.move(path, to: mine)
            case .copiesAndDeletes:
                try mirror.write("mine", to: mine)
                try root.remove(path)
            case .movesToAnotherMonth:
                let folder = "\(Layout.pictures)/2020/2020-01"
                _ = try root.makeDirectory(folder)
                let other = "\(folder)/\(Layout.split(path).name)"
                try mirror.move(path, to: other)
                return other
            case .cuts: try mirror.rot(path) { $0.removeLast() }
            case .replacesByALink:
                try mirror.move(path, to: mine)
                try root.symlink(path, to: Layout.split(mine).name)
            case .replacesByAFolder:
                try root.remove(path)
                _ = try root.makeDirectory(path)
            case .deletesBesideAVideo:
                try mirror.write("mine", to: "\(stem).mp4")
                try root.remove(path)
                return "\(stem).mp4"
            }
            return try root.status(mine) == nil ? nil : mine
        }
    }

    /// Also while NASA cannot be reached.
    @Test func anEditIsAnnouncedBeforeTheOriginalComesBack() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            try mirror.write("retouched", to: path)
            mirror.simulator.inject(.refuse, on: .any, times: nil)
            var notices: [String] = []
            for await event in mirror.synchronizer().sync() {
                if case .notice(let text) = event { notices.append(text) }
            }
            #expect(notices.count == 1)
            #expect(notices.allSatisfy { $0.hasPrefix(path) && $0.contains(Layout.damaged) })

            let retry = try mirror.store.state().retries[day]
            #expect(retry?.reason.contains("its file was changed: ") == true)
            #expect(try mirror.text(path) == "retouched")

            mirror.simulator.clearFaults()
            await mirror.sync(retry: .anyFailure)

            #expect(try mirror.text(path) != "retouched")
            #expect(try mirror.damagedFiles() == [Array("retouched".utf8)])
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    /// Each kind of sync follows one act: that of a start or a reload, of `run --once`, and of the first poll of a day.
    @Test(
        arguments: Act.allCases.map { ($0, SyncPlan.Retry.due) }
            + [(Act.deletes, SyncPlan.Retry.transient), (.renames, .anyFailure)])
    func theOriginalComesBackUnderItsName(act: Act, retry: SyncPlan.Retry) async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            let original = try mirror.tree.root.read(path)
            let record = try mirror.record()
            let mine = try act.perform(on: path, in: mirror)
            let before = try mine.map { try mirror.tree.root.read($0) }

            // What another process, such as `status`, finds.
            let snapshot = try TreeSnapshot(of: mirror.tree.root, .media)
            let found = try Store(reading: mirror.tree).daysWithFiles(snapshot)
            #expect(found.count == 9 && !found.contains(day))
            let summary = await mirror.sync(retry: retry)

            #expect(summary.downloaded == 1 && summary.withFiles == 10)
            #expect(try mirror.tree.root.status(path)?.kind == .file)
            #expect(try mirror.tree.root.read(path) == original)
            #expect(try mirror.record() == record)
            if let mine { #expect(try mirror.tree.root.read(mine) == before) }
            let again = await mirror.sync(retry: retry)
            #expect(again.downloaded == 0 && again.withFiles == 10)
        }
    }

    /// A hard link stands for exFAT and NTFS, where names that differ only in case are one name.
    @Test(arguments: ["JPG", "jpg"]) func aFileThatTheDiskFindsByItsRecordedNameIsThere(
        ending: String
    ) async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            let (folder, name) = Layout.split(path)
            let stem = ending == "jpg" ? name.dropLast(4).uppercased() : String(name.dropLast(4))
            let other = "\(folder)/\(stem).\(ending)"
            try mirror.move(path, to: other)
            let snapshot = try TreeSnapshot(of: mirror.tree.root)
            #expect(try !mirror.store.daysWithFiles(snapshot).contains(day))

            #expect(unsafe link(mirror.absolute(other), mirror.absolute(path)) == 0)

            let recorded = try mirror.store.recordedDays(in: snapshot)
            #expect(recorded.withFiles.contains(day) && recorded.missingFiles == [:])
            #expect(mirror.store.recordsAgree(inMonthOf: day, of: snapshot))
        }
    }

    /// Whoever counts days must not believe the record.
    @Test(arguments: [Fault.status(500, body: nil), .notFound])
    func aPictureThatNASADoesNotServeAgainIsMissingInEachSync(fault: Fault) async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            try mirror.remove(path)
            mirror.simulator.inject(fault, on: .mediaOf(day), times: nil)

            for _ in 1...3 {
                let summary = await mirror.sync(retry: .anyFailure)
                #expect(summary.withFiles == 9 && summary.missing == 1)
                #expect(try mirror.store.state().retries[day]?.hasFiles == false)
            }

            mirror.simulator.clearFaults()
            #expect(await mirror.sync(retry: .anyFailure).downloaded == 1)
            #expect(try mirror.tree.exists(path))
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    /// The next attempt for a better one would be weeks ahead.
    @Test func aReducedPictureThatIsDeletedIsRequestedAtOnce() async throws {
        try await withSyncedMirror { mirror in
            var state = try mirror.store.state()
            var retry = RetryState(
                .reduced, "…", after: nil,
                at: Date(timeIntervalSince1970: Double(MirrorUnderTest.newest.noon)))
            retry.hasFiles = true
            state.retries[day] = retry
            try mirror.store.save(state)
            let path = try mirror.picture()
            try mirror.move(path, to: path.replacing(".jpg", with: " 2.jpg"))

            #expect(await mirror.sync().downloaded == 1)

            #expect(try mirror.tree.exists(path))
        }
    }

    /// The other file of the day is here: it is partial until both are.
    @Test(arguments: DayRecord.FileKind.allCases)
    func aLostPosterOrVideoComesBack(kind: DayRecord.FileKind) async throws {
        try await withMirror(extras: .all) { mirror in
            let first = await mirror.sync(since: .days(12), downloadsVideos: true)
            let days = (0..<12).map { MirrorUnderTest.newest.advanced(by: -$0) }
            let record = try #require(
                try days.lazy.compactMap { try mirror.store.record(of: $0) }
                    .first { $0.files.count == 2 })
            let file = try #require(record.file(kind))
            let before = try mirror.contents()
            try mirror.remove(file.path)

            // Once it was downloaded, a video is kept whatever the setting is now.
            let summary = await mirror.sync(since: .days(12))

            #expect(summary.missing == first.missing && summary.downloaded == 1)
            #expect(try mirror.contents() == before)
            #expect(try mirror.store.state().retries[record.entry.day] == nil)
        }
    }

    /// Each sync begins with a walk, which finds the same loss again: that of a start, or of the first poll of a day.
    @Test(arguments: [SyncPlan.Retry.due, .transient])
    func aVideoThatNASADoesNotServeAgainIsRequestedWithGrowingDelays(
        retry: SyncPlan.Retry
    ) async throws {
        try await withMirror(extras: .all) { mirror in
            await mirror.sync(since: .days(12), downloadsVideos: true)
            let days = (0..<12).map { MirrorUnderTest.newest.advanced(by: -$0) }
            let record = try #require(
                try days.lazy.compactMap { try mirror.store.record(of: $0) }
                    .first { $0.files.count == 2 })
            let day = record.entry.day
            try mirror.remove(try #require(record.file(.video)?.path))
            mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil)
            mirror.simulator.resetLog()

            for _ in 1...30 {
                await mirror.sync(since: .days(12), retry: retry)
                mirror.advance(days: 1)
            }

            let requests = mirror.simulator.requests.count { $0.kind == .media && $0.day == day }
            #expect(5...10 ~= requests, "\(requests)")
            // Another file that is lost is requested at once.
            mirror.simulator.clearFaults()
            let before = try mirror.store.state().retries[day]
            #expect(before.map { $0.next > mirror.now } == true)
            try mirror.remove(try #require(record.file(.picture)?.path))
            let video = try #require(record.file(.video)?.path)
            await mirror.sync(since: .days(12), retry: retry)
            #expect(try mirror.tree.exists(video))
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    /// The files of months that nobody touched are not compared again: the records are not read.
    @Test func onlyTheRecordsOfAChangedMonthAreRead() async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            let old = MirrorUnderTest.newest.advanced(by: -35)
            let record = try #require(try mirror.store.record(of: old))
            var other = record
            other.picture?.path += " 2.jpg"
            try mirror.store.publish(other.json.document, at: Layout.recordPath(of: old))
            func found() throws -> Int {
                let snapshot = try TreeSnapshot(of: mirror.tree.root, .media)
                return try Store(reading: mirror.tree).daysWithFiles(snapshot).count
            }
            try mirror.write("mine", to: "\(Layout.pictures)/2026/2026-11/2026-11-02 x.jpg")
            #expect(try found() == 40)

            try mirror.write("mine", to: "\(Layout.pictures)/2026/2026-10/2026-10-20 x.jpg")

            #expect(try found() == 39)
        }
    }

    /// That is no download, and the larger one is asked for when its time comes.
    @Test func aReducedPictureThatReturnsFromDamagedWaitsForItsRetry() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            var state = try mirror.store.state()
            let modified = try mirror.record().modified
            var retry = RetryState(
                .reduced, "smaller", modified: modified, after: nil, at: mirror.now)
            retry.hasFiles = true
            state.retries[day] = retry
            try mirror.store.save(state)
            try mirror.store.moveDamaged(path, of: day)
            mirror.simulator.resetLog()

            let summary = await mirror.sync()

            #expect(summary.withFiles == 10 && summary.downloaded == 0 && summary.hasNews)
            #expect(try mirror.tree.exists(path))
            #expect(try mirror.store.state().retries[day] == retry)
            #expect(mirror.simulator.requests.allSatisfy { $0.kind != .media })
        }
    }
}
