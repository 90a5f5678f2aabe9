import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// The files of a removed day, and what else has their names.
extension RetentionTests {
    @Test func aPictureThatCannotBeReadIsReportedAndTheOthersAreRemoved() async {
        await #expect(processExitsWith: .success) {
            // Root may read all files.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withMirror { mirror in
                await mirror.sync(since: .days(12))
                let (unreadable, next) = (try mirror.picture(11), try mirror.picture(10))
                try #require(unsafe chmod(mirror.absolute(unreadable), 0) == 0)

                var problems: [String] = []
                let synchronizer = mirror.synchronizer(since: .days(12), keep: .days(10))
                for await event in synchronizer.sync() {
                    if case .problem(let text) = event { problems.append(text) }
                }

                #expect(problems.count == 1 && problems[0].contains(unreadable))
                #expect(try mirror.tree.exists(unreadable))
                #expect(try !mirror.tree.exists(next))
            }
        }
    }

    /// As the pin of a favorite restores it, without NASA; that of any other day is a person's.
    @Test(arguments: [true, false])
    func aRemovedPictureThatIsBackIsRecordedIfItsDayIsKept(isFavorite: Bool) async throws {
        try await withArchive { mirror in
            let before = try mirror.record(11)
            let path = try mirror.picture(11)
            let original = try #require(try mirror.tree.root.read(path))
            await shrink(mirror, keep: .days(11))
            let (folder, name) = Layout.split(path)
            let root = mirror.tree.root
            try AtomicFile.publish(
                original, in: root.makeDirectory(folder), as: name,
                through: root.makeDirectory(Layout.incoming))
            mirror.simulator.inject(.status(500, body: nil), on: .any, times: nil)

            let favorites: Set = isFavorite ? [oldest] : []
            let summary = await sync(mirror, keep: .days(11), favorites: favorites)

            #expect(summary.obstacle != nil && summary.hasNews)
            let after = try mirror.record(11)
            #expect(isFavorite ? after == before : after.removed != nil)
            #expect(try root.read(path) == original)
        }
    }

    /// The links that the mirror left at earlier paths go, but not an earlier picture that a person has put back.
    @Test(arguments: [true, false])
    func onlyWhatAPersonPutBesideARemovedPictureStays(isPutBack: Bool) async throws {
        try await withArchive { mirror in
            let root = mirror.tree.root
            let before = try mirror.picture(11)
            let old = try #require(try root.read(before))
            let stem = before.dropLast(4)
            for format in [Drawing.Format.png, .gif] {
                try mirror.replacePicture(11, format: format)
                await mirror.sync(since: .days(12))
            }
            let picture = try mirror.picture(11)
            #expect(picture == "\(stem).gif")
            if isPutBack {
                try root.remove(before)
                try mirror.store.publish(old, at: before)
            }
            let (folder, name) = Layout.split(picture)
            let links = [
                "\(folder)/my link.jpg", "\(folder)/\(oldest) my link.jpg", "\(stem).webp",
            ]
            for link in links { try root.symlink(link, to: name) }

            await shrink(mirror, keep: .days(11))

            for path in ["\(stem).png", picture] {
                #expect(try root.status(path) == nil, "\(path)")
            }
            #expect(try root.read(before) == (isPutBack ? old : nil))
            for link in links { #expect(root.target(of: link) == name, "\(link)") }
            #expect(try mirror.store.previousPaths(of: oldest) == [])
        }
    }

    @Test func filesOfTheUserWithNamesOfTheMirrorOnARemovedDayStay() async throws {
        try await withArchive { mirror in
            let hash = String(repeating: "0", count: 64)
            let paths =
                [Layout.thumbnail(of: oldest), Rendition.path(of: oldest)]
                + [Layout.previous, Layout.damaged].map { "\($0)/\(oldest) \(hash).jpg" }
            for path in paths { try mirror.write("mine", to: path) }

            await shrink(mirror, keep: .days(11))

            #expect(try mirror.record(11).removed != nil)
            for path in paths { #expect(try mirror.text(path) == "mine") }
        }
    }

    /// As a file that a person made of the removed picture; a directory cannot be replaced by a file, either.
    @Test(arguments: [true, false])
    func whatThePathOfARemovedPictureHasMovesAwayWithAReport(isFile: Bool) async throws {
        try await withArchive { mirror in
            let path = try mirror.picture(11)
            await shrink(mirror, keep: .days(11))
            try mirror.write("mine", to: isFile ? path : "\(path)/mine")

            let (summary, reports) = await mirror.reportsOfSync(since: .days(12), keep: .all)

            #expect(summary.withFiles == 12)
            let moved = isFile ? Layout.aside : Layout.damaged
            let copy = "\(moved)/\(Layout.split(path).name)"
            #expect(try mirror.text(isFile ? copy : "\(copy)/mine") == "mine")
            #expect(reports.count { $0.contains(path) && $0.contains(moved) } == 1, "\(reports)")
            let (_, later) = await mirror.reportsOfSync(since: .days(12), keep: .all)
            #expect(!later.contains { $0.contains(path) })
        }
    }

    /// Of the month, nothing is deleted, not even a picture whose record could not say so.
    @Test func aMonthThatCannotBeWrittenStopsNoOther() async {
        await #expect(processExitsWith: .success) {
            // Root may write everywhere.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            for top in [Layout.pictures, Layout.metadata] {
                try await withMirror(days: 40) { mirror in
                    await mirror.sync(since: .days(40))
                    let october = mirror.absolute("\(top)/2026/2026-10")
                    try #require(unsafe chmod(october, 0o555) == 0)
                    func filesOfOctober() throws -> [String: [UInt8]] {
                        try mirror.contents().filter { $0.key.contains("/2026-10/") }
                    }
                    let before = try filesOfOctober()

                    // 20 days of October, and five of November, of which one sync removes four.
                    let (summary, reports) = await mirror.reportsOfSync(
                        since: .days(40), keep: .days(15))

                    #expect(summary.removed == 4, "\(summary)")
                    #expect(reports.filter { $0.contains("--keep") }.count == 1, "\(reports)")
                    #expect(try filesOfOctober() == before)
                    try #require(unsafe chmod(october, 0o755) == 0)
                }
            }
        }
    }

    /// The days may have files there that the removal deletes, too.
    @Test func noFileIsDeletedWhileTheEarlierVersionsCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            // Root may read all folders.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            for folder in [Layout.previous, Layout.damaged] {
                try await withSyncedMirror(days: 12) { mirror in
                    let before = try mirror.contents()
                    _ = try mirror.tree.root.makeDirectory(folder)
                    try #require(unsafe chmod(mirror.absolute(folder), 0) == 0)

                    let (summary, reports) = await mirror.reportsOfSync(
                        since: .days(12), keep: .days(8))

                    #expect(summary.removed == 0, "\(summary)")
                    #expect(reports.filter { $0.contains(folder) }.count == 1, "\(reports)")
                    try #require(unsafe chmod(mirror.absolute(folder), 0o755) == 0)
                    #expect(try mirror.contents() == before)
                    // Nothing would go on after the limit is no longer wanted.
                    let staged = try mirror.store.incoming.textNames()
                    #expect(!staged.contains(where: DayPublisher.isStagedName))
                }
            }
        }
    }

    /// It stays for good, which no sync reports.
    @Test func anEarlierVersionThatMayNotBeReadKeepsNoPicture() async {
        await #expect(processExitsWith: .success) {
            // Root may read all files.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withSyncedMirror(days: 12) { mirror in
                let picture = try mirror.picture(11)
                try mirror.replacePicture(11)
                await mirror.sync(since: .days(12))
                let day = MirrorUnderTest.newest.advanced(by: -11)
                let versions = try mirror.store.replacedFiles(of: day)
                let version = try #require(versions.first { $0.hasSuffix(".jpg") })
                try #require(unsafe chmod(mirror.absolute(version), 0) == 0)

                for removed in [1, 0] {
                    let (summary, reports) = await mirror.reportsOfSync(
                        since: .days(12), keep: .days(11))
                    #expect(summary.removed == removed && summary.failure == nil, "\(summary)")
                    #expect(reports == [])
                }
                #expect(try mirror.tree.root.status(picture) == nil)
            }
        }
    }

    /// A later start must not finish a removal that failed, because the day may be to be kept by then.
    @Test func aRemovalThatFailedIsTakenBackUnlessAFileIsGone() async throws {
        try await withSyncedMirror(days: 12) { mirror in
            let picture = try mirror.picture(11)
            let day = try #require(FileName.day(of: Layout.split(picture).name))
            let publisher = DayPublisher(store: mirror.store, day: day)
            guard case .possible(let removal, _, _) = try publisher.makeRemoval(at: .now) else {
                Issue.record("the day cannot be removed")
                return
            }
            let staged = "\(Layout.incoming)/\(publisher.stagedRecord)"
            try mirror.write("staged", to: staged)

            #expect(publisher.takeBack(removal))
            #expect(try mirror.tree.root.status(staged) == nil)

            try mirror.write("staged", to: staged)
            try mirror.remove(picture)
            #expect(!publisher.takeBack(removal))
            #expect(try mirror.tree.root.status(staged) != nil)
        }
    }

    @Test func aTextEditOfARemovedDayIsRecordedAndNothingIsDownloaded() async throws {
        try await withArchive { mirror in
            await shrink(mirror, keep: .days(8))
            try mirror.simulator.edit(oldest) { $0.title = "Quite Another Title" }
            mirror.simulator.resetLog()

            let summary = await sync(mirror, keep: .days(8))

            #expect(summary.edited == 1 && summary.downloaded == 0)
            #expect(mirror.mediaRequests == 0)
            let record = try mirror.record(11)
            #expect(record.entry.title == "Quite Another Title" && record.removed != nil)
            #expect(try !complete(mirror).contains(oldest))
            #expect(try mirror.store.previousPaths(of: oldest).count == 1)
        }
    }

    @Test func aVideoItsPageAndItsThumbnailAreRemovedWithThePicture() async throws {
        try await withMirror(extras: .all) { mirror in
            let days = (0..<12).map { newest.advanced(by: -$0) }
            _ = await sync(mirror, keep: .all, downloadsVideos: true)
            let thumbnails = days.map {
                ViewFiles.File(path: Layout.thumbnail(of: $0), bytes: [1])
            }
            _ = try ViewFiles(of: .thumbnails, in: mirror.store).publish(thumbnails)
            func files() throws -> [String: [UInt8]] {
                try mirror.contents().filter { $0.key.hasPrefix("\(Layout.pictures)/") }
            }
            let before = try files()

            while await sync(mirror, keep: .bytes(1), downloadsVideos: true).removed > 0 {
                mirror.advance(days: 1)
            }

            let kept = try mirror.contents().keys.filter {
                $0.hasPrefix("pictures/") || $0.hasPrefix(Layout.thumbnails)
            }
            for path in kept where !path.contains("\(newest)") {
                // A day without a picture has nothing to remove.
                let day = try #require(FileName.day(of: Layout.split(path).name))
                let record = try #require(try mirror.store.record(of: day))
                #expect(record.picture == nil && record.video?.path == nil, "\(path)")
            }
            let videos = try days.compactMap { try mirror.store.record(of: $0)?.video }
            let removed = videos.compactMap(\.file).map(\.removed)
            #expect(removed.count == 2 && !removed.contains(nil))
            _ = await sync(mirror, keep: .all, downloadsVideos: true)
            #expect(try files() == before)
        }
    }

    /// Whose video comes when `--videos` asks for it, and which until then has a page that opens it at NASA.
    @Test func aDayThatComesBackWithoutItsVideoIsLikeOneThatNeverHadIt() async throws {
        try await withMirror(extras: .all) { mirror in
            _ = await sync(mirror, keep: .all, downloadsVideos: true)
            let before = try mirror.contents()
            let days = try daysWithVideoFile(mirror)
            while await sync(mirror, keep: .bytes(1), downloadsVideos: true).removed > 0 {
                mirror.advance(days: 1)
            }

            _ = await sync(mirror, keep: .all)

            for day in days {
                let record = try #require(try mirror.store.record(of: day))
                #expect(record.removed == nil && record.video?.file == nil)
                #expect(try mirror.tree.exists(#require(record.page)))
                #expect(record.revision == 1)
            }
            let summary = await sync(mirror, keep: .all, downloadsVideos: true)
            #expect(summary.edited == 0)
            #expect(try daysWithVideoFile(mirror) == days)
            #expect(try mirror.contents().keys.sorted() == before.keys.sorted())
        }
    }

    @Test func aRemovedPictureThatIsBackBringsItsVideoBack() async throws {
        try await withMirror(extras: .all) { mirror in
            _ = await sync(mirror, keep: .all, downloadsVideos: true)
            let before = try mirror.contents()
            let day = try #require(
                try daysWithVideoFile(mirror).first {
                    try mirror.store.record(of: $0)?.picture != nil
                })
            let path = try #require(try mirror.store.record(of: day)?.picture?.path)
            while await sync(mirror, keep: .bytes(1), downloadsVideos: true).removed > 0 {
                mirror.advance(days: 1)
            }
            try mirror.store.publish(#require(before[path]), at: path)

            _ = await sync(mirror, keep: .all, downloadsVideos: true)

            let record = try #require(try mirror.store.record(of: day))
            let video = try #require(record.file(.video))
            #expect(try mirror.tree.hasFile(video) && record.page == nil)
        }
    }

    /// With `--keep` or a later `--since`, and even if the first attempt fails.
    ///
    /// Its picture came from a copy, and no list has its entry that is requested anyhow.
    @Test(arguments: [(Keep.bytes(1), true), (.all, true), (.all, false)])
    func aFavoriteGetsItsVideoWhateverItsAge(keep: Keep, isFavorite: Bool) async throws {
        try await withMirror(days: 40, extras: .videos) { mirror in
            let since = Since.days(40)
            _ = await sync(mirror, keep: .all, since: since, downloadsVideos: true)
            let before = try mirror.contents()
            let day = try #require(
                try (30..<40).map { newest.advanced(by: -$0) }.first {
                    let record = try mirror.store.record(of: $0)
                    return record?.file(.video) != nil && record?.picture != nil
                })
            let path = try #require(try mirror.store.record(of: day)?.picture?.path)
            let limit = Keep.days(20)
            while await sync(mirror, keep: limit, since: since, downloadsVideos: true).removed > 0 {
                mirror.advance(days: 1)
            }
            try mirror.store.publish(#require(before[path]), at: path)
            let favorites: Set = isFavorite ? [day] : []
            let synchronizer = mirror.synchronizer(
                .init(since: .days(1), downloadsVideos: true, rechecks: false, keep: keep),
                wantedFavorites: { [] }, favorites: { favorites }, damagedDays: { [] })
            mirror.simulator.inject(.status(404, body: nil), on: .media, times: nil)
            _ = await synchronizer.sync().summary()
            #expect(try mirror.store.record(of: day)?.file(.video) == nil)
            mirror.simulator.clearFaults()
            mirror.advance(days: 2)

            _ = await synchronizer.sync().summary()

            let record = try #require(try mirror.store.record(of: day))
            #expect((record.file(.video) != nil) == isFavorite)
            #expect(try record.files.allSatisfy(mirror.tree.hasFile))
        }
    }

    private func daysWithVideoFile(_ mirror: MirrorUnderTest) throws -> [Day] {
        try (0..<12).map { newest.advanced(by: -$0) }
            .filter { try mirror.store.record(of: $0)?.file(.video) != nil }
    }

    /// The size alone says nothing.
    @Test(arguments: [true, false])
    func aFileThatDiffersFromItsRecordIsNotRemoved(hasItsSize: Bool) async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            // Older than the polled days, whose files of a wrong size are repaired.
            let path = try mirror.picture(39)
            try mirror.rot(path) { $0 = [UInt8](repeating: 7, count: hasItsSize ? $0.count : 3) }
            let mine = try mirror.tree.root.read(path)
            try mirror.tree.root.openFile(path, O_RDONLY).setModified(MirrorUnderTest.newest.noon)

            await shrink(mirror, keep: .days(36))
            // In the process of a command.
            let preview = try Store(reading: mirror.tree).previewRetention(
                by: .days(36), favorites: [], at: mirror.now)
            #expect(preview?.removals == [] && preview?.keptCount == (hasItsSize ? 37 : 36))
            let (_, reports) = await mirror.reportsOfSync(since: .days(12), keep: .days(36))

            if hasItsSize { #expect(reports.contains { $0.contains(path) }, "\(reports)") }
            #expect(try mirror.tree.root.read(path) == mine)
            #expect(try mirror.record(39).removed == nil)
            #expect(try complete(mirror).count == 37)
        }
    }
}

extension MirrorUnderTest {
    /// Runs one sync; returns its summary, and the texts of its problems, notices and moves.
    fileprivate func reportsOfSync(since: Since, keep: Keep) async -> (SyncSummary, [String]) {
        var reports: [String] = []
        let events = synchronizer(since: since, keep: keep).sync()
        for await event in events {
            switch event {
            case .problem(let text), .notice(let text): reports.append(text)
            case .planned, .day: break
            }
        }
        let summary = await events.summary()
        return (summary, reports + tree.takeMovedItems().map(\.text))
    }
}
