import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// Edits by NASA of mirrored days.
@Suite(.timeLimit(.minutes(10))) struct EditTests {
    let day = MirrorUnderTest.newest.advanced(by: -2)

    private func edited(
        _ mirror: MirrorUnderTest, _ edit: (inout SimulatedEntry) -> Void
    ) throws -> SimulatedEntry {
        var entry = try #require(mirror.simulator.entry(of: day))
        edit(&entry)
        mirror.simulator.publish(entry)
        return entry
    }

    /// The archived files, by name.
    private func previous(_ mirror: MirrorUnderTest) throws -> [String: [UInt8]] {
        try mirror.contents().filter { $0.key.hasPrefix(Layout.previous) }
    }

    @Test func aNewTitleIsRecordedAndThePathStays() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.store.record(of: day))
            _ = try edited(mirror) { $0.title = "Quite Another Title" }

            let summary = await mirror.sync()

            #expect(summary.edited == 1 && summary.downloaded == 0)
            let after = try #require(try mirror.store.record(of: day))
            #expect(after.entry.title == "Quite Another Title")
            #expect(after.picture == before.picture)
            #expect(after.revision == 2)
            let previous = try previous(mirror).values.compactMap { bytes in
                (try? JSON(parsing: bytes)).flatMap { DayRecord($0) }
            }
            #expect(previous == [before])
        }
    }

    @Test func aNewPictureReplacesTheOldOneWhichIsArchived() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.store.record(of: day)?.picture)
            let old = try mirror.tree.root.read(before.path)
            let rendition = ViewFiles.File(path: Rendition.path(of: day), bytes: [1])
            _ = try ViewFiles(of: .renditions, in: mirror.store).publish([rendition])
            _ = try edited(mirror) { entry in
                entry.media = .drawn("better.jpg", seed: 77, width: 64, height: 40)
            }

            let summary = await mirror.sync()

            #expect(summary.edited == 1 && summary.downloaded == 1)
            let after = try #require(try mirror.store.record(of: day)?.picture)
            #expect(after.path == before.path)
            #expect((after.width, after.height) == (64, 40))
            #expect(try previous(mirror).values.contains(try #require(old)))
            #expect(try previous(mirror).keys.contains { $0.contains(before.sha256) })
            #expect(try mirror.tree.root.status(after.path)?.modified == day.noon + 1)
            // The gallery would show it in the place of the new picture.
            #expect(try mirror.tree.root.read(Rendition.path(of: day)) == nil)
        }
    }

    @Test func aPictureOfAnotherTypeLeavesALinkAtTheOldPath() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.store.record(of: day)?.picture)
            _ = try edited(mirror) { entry in
                entry.media = .drawn("better.png", seed: 7, width: 64, height: 40, format: .png)
            }

            await mirror.sync()

            let after = try #require(try mirror.store.record(of: day)?.picture)
            #expect(after.path.hasSuffix(".png"))
            let (folder, old) = Layout.split(before.path)
            #expect(
                try mirror.tree.root.folder(folder)?.target(of: old)
                    == Layout.split(after.path).name)
            let again = await mirror.sync()
            #expect(again.withFiles == 10 && again.edited == 0)

            try mirror.tree.root.remove(after.path)
            let snapshot = try TreeSnapshot(of: mirror.tree.root)
            #expect(try !mirror.store.daysWithFiles(snapshot, mirror.store.state()).contains(day))
        }
    }

    /// A file of a user has the name that the new picture would get.
    @Test func aPictureOfAnotherTypeTakesAFreeNameBesideAFileOfTheUser() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.store.record(of: day)?.picture)
            let stem = String(before.path.dropLast(4))
            try mirror.write("mine", to: "\(stem).png")
            try mirror.write("mine, too", to: "\(stem) 2.png")
            _ = try edited(mirror) { entry in
                entry.media = .drawn("better.png", seed: 7, width: 64, height: 40, format: .png)
            }

            await mirror.sync()

            let after = try #require(try mirror.store.record(of: day)?.picture)
            #expect(after.path == "\(stem) 3.png" && after.width == 64)
            let root = mirror.tree.root
            #expect(try root.read("\(stem).png") == Array("mine".utf8))
            #expect(try root.read("\(stem) 2.png") == Array("mine, too".utf8))
            #expect(root.target(of: before.path) == Layout.split(after.path).name)
        }
    }

    /// NASA edits the text of a day that has no picture, or whose picture cannot be downloaded.
    @Test(arguments: [SimulatedMedia.lost, .iframe(src: "//player.vimeo.com/video/1"), nil])
    func anEditOfADayWithoutAPictureIsRecordedAtOnce(media: SimulatedMedia?) async throws {
        try await withMirror { mirror in
            if media == nil { mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil) }
            _ = try edited(mirror) { $0.media = media ?? $0.media }
            await mirror.sync()
            #expect(try mirror.store.record(of: day)?.missing != nil)
            _ = try edited(mirror) { $0.title = "Quite Another Title" }

            // No retry is due.
            await mirror.sync()

            #expect(try mirror.store.record(of: day)?.entry.title == "Quite Another Title")
            mirror.simulator.resetLog()
            await mirror.sync()
            let requests = mirror.simulator.requests
            #expect(requests.count { !$0.path.contains("/image-article/") } == 1)
        }
    }

    @Test func aPictureThatReturnsIsArchivedOnce() async throws {
        try await withMirror { mirror in
            func publish(_ seed: UInt64) async throws -> String? {
                _ = try edited(mirror) { entry in
                    entry.media = .drawn("\(seed).jpg", seed: seed, width: 64, height: 40)
                }
                await mirror.sync()
                return try mirror.store.record(of: day)?.picture?.sha256
            }
            func archived() throws -> [String: [Int]] {
                try mirror.traces().filter {
                    $0.key.hasPrefix(Layout.previous) && $0.key.hasSuffix(".jpg")
                }
            }
            await mirror.sync()
            let first = try await publish(1)
            let second = try await publish(2)
            #expect(try await publish(1) == first)
            let before = try archived()

            #expect(try await publish(2) == second)

            #expect(first != second && before.count == 3)
            #expect(try archived() == before)
        }
    }

    @Test func aStagedPictureThatDiffersFromItsRecordIsDiscarded() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            var record = try #require(try mirror.store.record(of: day))
            record.revision += 1
            record.picture?.sha256 = String(repeating: "0", count: 64)
            let incoming = try mirror.tree.root.makeDirectory(Layout.incoming)
            try mirror.store.publishAlways([1, 2, 3], in: incoming, as: "\(day) picture")
            try mirror.store.publishAlways(
                record.json.document, in: incoming, as: Layout.record(of: day))

            try DayPublisher(store: mirror.store, day: day).resume()

            #expect(try mirror.contents() == before)
            #expect(try incoming.names() == [])
        }
    }

    @Test func aDamagedPictureOfAnUndoneEditIsRemovedAlsoFromAnotherPath() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var record = try #require(try mirror.store.record(of: day))
            let before = try mirror.contents()
            let (stem, _) = try #require(record.picture?.path.splitAtLastDot)
            let path = "\(stem).png"
            try mirror.store.publishAlways([1, 2, 3], at: path)
            record.revision += 1
            record.picture?.path = path
            record.picture?.sha256 = String(repeating: "0", count: 64)
            let incoming = try mirror.store.incoming
            try mirror.store.publishAlways(
                record.json.document, in: incoming, as: Layout.record(of: day))

            try DayPublisher(store: mirror.store, day: day).resume()

            let after = try mirror.contents()
            #expect(after[path] == nil)
            #expect(before.allSatisfy { after[$0.key] == $0.value })
            #expect(try incoming.names() == [])
        }
    }

    @Test func aPictureThatCannotBeWrittenReturnsWhenItsEditIsUndone() async {
        await #expect(processExitsWith: .success) {
            // Root may write all files.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withMirror { mirror in
                await mirror.sync()
                let day = MirrorUnderTest.newest
                let root = mirror.tree.root
                var record = try #require(try mirror.store.record(of: day))
                let path = try #require(record.picture?.path)
                let before = try #require(try root.read(path))
                unsafe chmod("\(root.path)/\(path)", 0o444)
                #expect(try mirror.store.archive(path, of: day))
                // The new picture is cut short.
                try mirror.store.publishAlways([1, 2, 3], at: path)
                record.revision += 1
                record.picture?.sha256 = String(repeating: "0", count: 64)
                let incoming = try mirror.store.incoming
                try mirror.store.publishAlways(
                    record.json.document, in: incoming, as: Layout.record(of: day))

                try DayPublisher(store: mirror.store, day: day).resume()

                #expect(try root.read(path) == before)
                #expect(try incoming.names() == [])
            }
        }
    }

    /// After a power cut, btrfs can have both names of a file, for which rename(2) does nothing.
    @Test func aStagedFileThatIsAlsoPublishedIsRemoved() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            let picture = try #require(try mirror.store.record(of: day)?.picture?.path)
            let record = Layout.recordPath(of: day)
            let root = mirror.tree.root
            let incoming = try root.makeDirectory(Layout.incoming)
            for (path, staged) in [(picture, "\(day) picture"), (record, Layout.record(of: day))] {
                let (folder, name) = Layout.split(path)
                try root.folder(folder)?.link(name, to: incoming, as: staged)
            }

            try DayPublisher(store: mirror.store, day: day).resume()

            #expect(try incoming.names() == [])
            #expect(try mirror.contents() == before)
        }
    }

    @Test func aPictureAndItsAddressStayWhenNASALosesThem() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.store.record(of: day))
            _ = try edited(mirror) { $0.media = .lost }

            await mirror.sync()

            let after = try #require(try mirror.store.record(of: day))
            #expect(after.picture == before.picture)
            #expect(after.entry.url == before.entry.url)
            #expect(after.missing == nil)
        }
    }

    @Test(arguments: [nil, "picture", "source", "license"])
    func unknownKeysSurvive(place: String?) async throws {
        try await withMirror { mirror in
            let license = "<a href=\"https://creativecommons.org/licenses/by/4.0/\">CC BY 4.0</a>"
            _ = try edited(mirror) { $0.credit = "A. B. (\(license))" }
            await mirror.sync()
            let path = Layout.recordPath(of: day)
            let mine = JSON.Member(key: "my_rating", value: ["stars": 5])
            let read = try JSON(parsing: try #require(try mirror.tree.root.read(path)))
            let json =
                place.map { place in
                    JSON.object(
                        read.members.map { member in
                            guard member.key == place else { return member }
                            return .init(key: place, value: .object(member.value.members + [mine]))
                        })
                } ?? .object(read.members + [mine])
            try mirror.store.publishAlways(json.document, at: path)
            _ = try edited(mirror) { $0.title = "Quite Another Title" }

            await mirror.sync()

            let after = try JSON(parsing: try #require(try mirror.tree.root.read(path)))
            #expect(after["title"]?.string == "Quite Another Title")
            let found = place.map { after[$0] ?? .null } ?? after
            #expect(found["my_rating"]?["stars"]?.integer == 5)
            #expect(found.members.count > 1)
        }
    }

    /// Bit rot that the schema does not detect.
    @Test func aRecordWithTheDateOfAnotherDayIsDamagedAndNotEdited() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest
            let path = Layout.recordPath(of: day)
            let text = String(decoding: try mirror.tree.root.read(path) ?? [], as: UTF8.self)
            let rotten = Array(
                text.replacing("\"\(day)\"", with: "\"\(day.advanced(by: -1))\"").utf8)
            try mirror.store.publishAlways(rotten, at: path)
            #expect(try mirror.store.record(of: day) == nil)

            let summary = await mirror.sync()

            #expect(summary.edited == 0, "\(summary)")
            let record = try #require(try mirror.store.record(of: day))
            #expect(record.entry.day == day && record.revision == 1)
            let damaged = try #require(try mirror.tree.root.folder(Layout.damaged))
            let kept = try damaged.textNames().compactMap { try damaged.read($0) }
            #expect(kept == [rotten])
        }
    }

    @Test func theSameDayFromTheOtherFeedIsNotAnEdit() async throws {
        try await withMirror { mirror in
            await mirror.sync(feed: .v1)
            let before = try mirror.traces()

            let summary = await mirror.sync(feed: .basic)

            #expect(summary.edited == 0 && summary.downloaded == 0)
            #expect(try mirror.traces() == before)
        }
    }

    @Test(arguments: [
        "/etc/passwd", "pictures/../../secret.jpg",
        "pictures/\(String(repeating: "x", count: 300)).jpg",
    ])
    func aRecordWhosePathCannotBeNamesItsPictureAgain(path: String) async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest
            var record = try #require(try mirror.store.record(of: day))
            record.picture?.path = path
            let recordPath = Layout.recordPath(of: day)
            try mirror.store.publishAlways(record.json.document, at: recordPath)

            let summary = await mirror.sync()

            #expect(summary.obstacle == nil && summary.missing == 0, "\(summary)")
            let retry = try mirror.store.state().retries[day]
            #expect(retry?.cause != .localError, "\(retry?.reason ?? "")")
        }
    }

    /// The only other copy of these contents may have rotted in `previous/`.
    @Test(arguments: [false, true])
    func aPictureThatReturnsIsArchivedBesideItsRottenCopy(isRotten: Bool) async throws {
        try await withMirror { mirror in
            func publish(_ seed: UInt64) async throws -> [UInt8] {
                _ = try edited(mirror) { entry in
                    entry.media = .drawn("picture \(seed).jpg", seed: seed, width: 64, height: 40)
                }
                await mirror.sync()
                let path = try #require(try mirror.store.record(of: day)?.picture?.path)
                return try mirror.tree.root.read(path) ?? []
            }
            let (one, other) = (try await publish(1), try await publish(2))
            let archived = try #require(try previous(mirror).first { $0.value == one }?.key)
            if isRotten { try mirror.flipBit(archived) }
            let rotten = try mirror.tree.root.read(archived) ?? []

            #expect(try await publish(1) == one)
            _ = try await publish(3)

            #expect(try mirror.tree.root.read(archived) == one)
            #expect(try previous(mirror).values.contains(other))
            let damaged = try mirror.tree.root.folder(Layout.damaged)
            let kept = try damaged?.textNames().compactMap { try damaged?.read($0) }
            #expect(kept == (isRotten ? [rotten] : nil))
        }
    }
}
