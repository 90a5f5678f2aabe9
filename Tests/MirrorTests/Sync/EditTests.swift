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

    @Test func aNewPictureReplacesTheOldOneWhichIsArchived() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.record(2).picture)
            let old = try mirror.tree.root.read(before.path)
            let rendition = ViewFiles.File(path: Rendition.path(of: day), bytes: [1])
            _ = try ViewFiles(of: .renditions, in: mirror.store).publish([rendition])
            try mirror.replacePicture(2)

            let summary = await mirror.sync()

            #expect(summary.edited == 1 && summary.downloaded == 1)
            let after = try #require(try mirror.record(2).picture)
            #expect(after.path == before.path)
            #expect((after.width, after.height) == (64, 40))
            #expect(try mirror.previousFiles().values.contains(try #require(old)))
            #expect(try mirror.previousFiles().keys.contains { $0.contains(before.sha256) })
            #expect(try mirror.tree.root.status(after.path)?.modified == day.noon + 1)
            // The gallery would show it in the place of the new picture.
            #expect(try mirror.tree.root.read(Rendition.path(of: day)) == nil)
        }
    }

    @Test func aPictureOfAnotherTypeLeavesALinkAtTheOldPath() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.record(2).picture)
            try mirror.replacePicture(2, format: .png)

            await mirror.sync()

            let after = try #require(try mirror.record(2).picture)
            #expect(after.path.hasSuffix(".png"))
            let (folder, old) = Layout.split(before.path)
            #expect(
                try mirror.tree.root.folder(folder)?.target(of: old)
                    == Layout.split(after.path).name)
            let again = await mirror.sync()
            #expect(again.withFiles == 10 && again.edited == 0)

            try mirror.tree.root.remove(after.path)
            let snapshot = try TreeSnapshot(of: mirror.tree.root)
            #expect(try !mirror.store.daysWithFiles(snapshot).contains(day))
        }
    }

    /// In place of the link that the mirror left there.
    @Test func aPictureWhoseTypeChangesBackHasItsFirstPathAgain() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let root = mirror.tree.root
            let first = try mirror.picture(2)
            let second = "\(first.dropLast(4)).png"
            for (seed, format) in [Drawing.Format.png, .jpeg, .png, .jpeg].enumerated() {
                try mirror.replacePicture(2, seed: UInt64(20 + seed), format: format)
                await mirror.sync()
                let isFirst = format == .jpeg
                #expect(try mirror.picture(2) == (isFirst ? first : second))
                let other = isFirst ? second : first
                #expect(try root.target(of: other) == Layout.split(mirror.picture(2)).name)
            }
            let paths = try mirror.contents().keys
            #expect(paths.count { $0.hasPrefix("\(first.dropLast(4))") } == 2, "\(paths)")
            for folder in [Layout.damaged, Layout.aside] { #expect(try root.status(folder) == nil) }
        }
    }

    /// Items of a user have the names that the new picture would get: a link that is named and leads as the mirror's own
    /// from an old extension to a new one, and a file.
    @Test func aPictureOfAnotherTypeTakesAFreeNameBesideAFileOfTheUser() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let root = mirror.tree.root
            let before = try mirror.picture(2)
            let (stem, name) = (String(before.dropLast(4)), Layout.split(before).name)
            try root.symlink("\(stem).png", to: name)
            try mirror.write("mine", to: "\(stem) 2.png")
            try mirror.replacePicture(2, format: .png)

            await mirror.sync()

            let after = try #require(try mirror.record(2).picture)
            #expect(after.path == "\(stem) 3.png" && after.width == 64)
            #expect(root.target(of: "\(stem).png") == name)
            #expect(try mirror.text("\(stem) 2.png") == "mine")
            #expect(root.target(of: before) == Layout.split(after.path).name)
        }
    }

    /// Two pictures of the same proportions; without an announced size, the day of the large one waits for its retry.
    @Test(arguments: [true, false])
    func picturesThatNASASwappedAreSwapped(announcesSize: Bool) async throws {
        try await withMirror { mirror in
            func publish(large: Day, small: Day) throws {
                for (day, name, side) in [(large, "large.png", 96), (small, "small.png", 24)] {
                    let drawing = Drawing(
                        seed: UInt64(side), width: 2 * side, height: side, format: .png)
                    try mirror.simulator.edit(day) {
                        $0.media = .picture(
                            SimulatedPicture(
                                name: name, source: .drawn(drawing), announcesSize: announcesSize))
                    }
                }
            }
            try publish(large: day, small: day.advanced(by: -1))
            await mirror.sync()
            let (large, small) = (try mirror.record(2).picture, try mirror.record(3).picture)
            #expect((large?.width, small?.width) == (192, 48))

            try publish(large: day.advanced(by: -1), small: day)
            await mirror.sync()
            mirror.advance(days: 1)
            await mirror.sync()

            #expect(try mirror.record(2).picture?.sha256 == small?.sha256)
            #expect(try mirror.record(3).picture?.sha256 == large?.sha256)
            #expect(try mirror.record(2).picture?.keptInsteadOf == nil)
            #expect(try mirror.store.state().retries == [:])
        }
    }

    /// A correction of the same proportions, whose size NASA announces.
    @Test func aSmallerPictureOfTheAnnouncedSizeReplacesALargerOne() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try #require(try mirror.record(2).picture)
            let drawing = Drawing(seed: 9, width: before.width / 2, height: before.height / 2)
            try mirror.simulator.edit(day) {
                $0.media = .picture(
                    SimulatedPicture(name: "small.jpg", source: .drawn(drawing)))
            }

            await mirror.sync()

            let after = try #require(try mirror.record(2).picture)
            #expect(after.width == before.width / 2)
            #expect(after.keptInsteadOf == nil)
        }
    }

    @Test func whatIsKeptAgainstNASAIsRecordedUntilNASATakesItBack() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let entry = try #require(mirror.simulator.entry(of: day))
            let before = try #require(try mirror.record(2).picture)
            let drawing = Drawing(seed: 9, width: before.width / 2, height: before.height / 2)
            try mirror.simulator.edit(day) {
                $0.media = .picture(
                    SimulatedPicture(
                        name: "small.jpg", source: .drawn(drawing), announcesSize: false))
            }

            await mirror.sync()

            let kept = try #require(try mirror.record(2).picture)
            #expect(kept.sha256 == before.sha256)
            #expect(kept.keptInsteadOf?.hasSuffix("/small.jpg") == true)
            mirror.simulator.publish(entry)
            mirror.advance(days: 1)
            await mirror.sync()
            #expect(try mirror.record(2).picture == before)
        }
    }

    /// NASA edits the text of a day that has no picture, or whose picture cannot be downloaded.
    @Test(arguments: [SimulatedMedia.lost, .iframe(src: "//player.vimeo.com/video/1"), nil])
    func anEditOfADayWithoutAPictureIsRecordedAtOnce(media: SimulatedMedia?) async throws {
        try await withMirror { mirror in
            if media == nil { mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil) }
            try mirror.simulator.edit(day) { $0.media = media ?? $0.media }
            await mirror.sync()
            #expect(try mirror.record(2).noPicture != nil)
            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }

            // No retry is due.
            await mirror.sync()

            #expect(try mirror.record(2).entry.title == "Quite Another Title")
            mirror.simulator.resetLog()
            await mirror.sync()
            #expect(mirror.simulator.requests.count == 1)
        }
    }

    /// An answer without a text, or with one that cannot be read, says nothing about it.
    @Test(arguments: [nil, String(repeating: "x", count: 5_000)])
    func aTextThatNASANoLongerServesStays(alt: String?) async throws {
        try await withMirror { mirror in
            try mirror.simulator.edit(day) {
                ($0.credit, $0.copyright, $0.alt) = ("Ada Lovelace", "Ada Lovelace", "A star.")
                $0.explanationHTML = "It <b>shines</b>."
            }
            await mirror.sync()
            let before = try mirror.record(2).entry
            try mirror.simulator.edit(day) {
                ($0.credit, $0.copyright, $0.alt) = (nil, nil, alt)
                ($0.title, $0.explanationHTML) = ("Quite Another Title", "")
            }

            await mirror.sync()

            let after = try mirror.record(2).entry
            #expect(after.title == "Quite Another Title" && before.alt == "A star.")
            #expect((after.problems == nil) == (alt == nil))
            var expected = before
            (expected.title, expected.permalink) = (after.title, after.permalink)
            expected.problems = after.problems
            #expect(after == expected)
        }
    }

    /// It is staged, or in place of the archived one, which cannot be written: then a person may have put it there.
    @Test(arguments: [false, true])
    func aPictureThatDiffersFromItsStagedRecordIsDiscardedOrMoved(isPublished: Bool) async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            if isPublished {
                let path = try mirror.picture(2)
                unsafe chmod(mirror.absolute(path), 0o444)
                #expect(try mirror.store.archive(path, of: day))
                try mirror.store.publish([1, 2, 3], at: path)
            } else {
                try mirror.store.publish([1, 2, 3], at: "\(Layout.incoming)/\(day) picture")
            }
            var record = try mirror.record(2)
            record.revision += 1
            record.picture?.sha256 = String(repeating: "0", count: 64)
            try mirror.store.publish(
                record.json.document, at: "\(Layout.incoming)/\(Layout.recordName(of: day))")

            try DayPublisher(store: mirror.store, day: day).resume()

            let after = try mirror.contents().filter { !$0.key.hasPrefix(Layout.previous) }
            #expect(after == before)
            let damaged = try mirror.tree.root.textNames(in: Layout.damaged)
            #expect(damaged.count == (isPublished ? 1 : 0))
            #expect(try mirror.store.incoming.names() == [])
        }
    }

    /// As on a full disk: the keys of a user in it are read again for the record that replaces it.
    @Test func aDamagedRecordStaysIfItCannotBeReplaced() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let (path, record) = (mirror.recordPath(2), try mirror.record(2))
            try mirror.store.publish(Array("{}".utf8), at: path)
            // In the place of the staged record.
            _ = try mirror.store.incoming.makeDirectory(Layout.recordName(of: day))

            #expect(throws: SystemError.self) {
                try DayPublisher(store: mirror.store, day: day).publish(record, after: nil)
            }

            #expect(try mirror.tree.root.read(path) == Array("{}".utf8))
        }
    }

    /// After a power cut, btrfs can have both names of a file, for which rename(2) does nothing.
    @Test func aStagedFileThatIsAlsoPublishedIsRemoved() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            let incoming = try mirror.store.incoming
            for (path, staged) in [
                (try mirror.picture(2), "\(day) picture"),
                (mirror.recordPath(2), Layout.recordName(of: day)),
            ] {
                let (folder, name) = Layout.split(path)
                try mirror.tree.root.folder(folder)?.link(name, to: incoming, as: staged)
            }

            try DayPublisher(store: mirror.store, day: day).resume()

            #expect(try incoming.names() == [])
            #expect(try mirror.contents() == before)
        }
    }

    @Test(arguments: [nil, "picture", "source", "license"])
    func unknownKeysSurvive(place: String?) async throws {
        try await withMirror { mirror in
            let license = "<a href=\"https://creativecommons.org/licenses/by/4.0/\">CC BY 4.0</a>"
            try mirror.simulator.edit(day) { $0.credit = "A. B. (\(license))" }
            await mirror.sync()
            let path = mirror.recordPath(2)
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
            try mirror.store.publish(json.document, at: path)
            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }

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
            let path = mirror.recordPath(2)
            let text = try mirror.text(path) ?? ""
            let rotten = text.replacing("\"\(day)\"", with: "\"\(day.advanced(by: -1))\"")
            try mirror.store.publish(Array(rotten.utf8), at: path)
            #expect(try mirror.store.record(of: day) == nil)

            let summary = await mirror.sync()

            #expect(summary.edited == 0, "\(summary)")
            let record = try mirror.record(2)
            #expect(record.entry.day == day && record.revision == 1)
            #expect(try mirror.damagedFiles() == [Array(rotten.utf8)])
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

    /// The record is the one from before the move.
    @Test func aMoveOfNASAsArchiveToAnotherHostIsNeitherAnEditNorAnotherPicture() async throws {
        try await withSyncedMirror { mirror in
            let before = try mirror.record(2)
            var record = before
            func atOldHost(_ url: String?) -> String? {
                url?.replacing(mirror.simulator.origin, with: "https://assets.example.nasa.gov")
            }
            record.entry.url = atOldHost(record.entry.url)
            record.entry.hdurl = atOldHost(record.entry.hdurl)
            record.picture?.origin = atOldHost(before.picture?.origin) ?? ""
            #expect(record.entry != before.entry && record.picture != before.picture)
            try mirror.store.publish(record.json.document, at: mirror.recordPath(2))
            mirror.simulator.resetLog()

            let moved = await mirror.sync()

            #expect(moved.edited == 0 && moved.downloaded == 0 && mirror.mediaRequests == 0)
            let after = try mirror.record(2)
            #expect(after.entry == before.entry && after.revision == before.revision)
            #expect(after.lastChanged == before.lastChanged)
            // If NASA saves all articles again, only the version of the file is compared.
            try mirror.simulator.edit(day) { $0.modified = "\(day)T01:00:00-05:00" }
            let saved = await mirror.sync()
            #expect(saved.edited == 0 && saved.downloaded == 0 && mirror.mediaRequests == 1)
            #expect(try mirror.previousFiles() == [:])
        }
    }

    /// `modified` is the time of the article, as NASA states it; an empty one is none.
    @Test(arguments: [FeedKind.basic, .v1])
    func aPictureThatIsReplacedWithTheTextIsDownloadedFromItsOldAddress(
        feed: FeedKind
    ) async throws {
        try await withMirror { mirror in
            // Polls of v1 have only this day.
            let (day, name) = (MirrorUnderTest.newest, "galaxy.jpg")
            try mirror.simulator.edit(day) {
                ($0.modified, $0.media) = ("", .drawn(name, seed: 5, width: 96, height: 64))
            }
            await mirror.sync(feed: feed)
            let before = try mirror.record(0)
            #expect(before.modified == nil)
            try mirror.simulator.edit(day) {
                ($0.title, $0.media) = ("Corrected", .drawn(name, seed: 6, width: 96, height: 64))
            }

            await mirror.sync(feed: feed)

            let after = try mirror.record(0)
            #expect(after.entry.title == "Corrected" && after.entry.url == before.entry.url)
            let corrected = Drawing(seed: 6, width: 96, height: 64).encoded()
            #expect(try mirror.tree.root.read(mirror.picture(0)) == corrected)
            mirror.simulator.resetLog()
            await mirror.sync(feed: feed)
            #expect(mirror.mediaRequests == 0)
        }
    }

    @Test(arguments: [
        "/etc/passwd", "pictures/../../secret.jpg",
        "pictures/\(String(repeating: "x", count: 300)).jpg",
    ])
    func aRecordWhosePathCannotBeNamesItsPictureAgain(path: String) async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var record = try mirror.record(2)
            record.picture?.path = path
            try mirror.store.publish(record.json.document, at: mirror.recordPath(2))

            let summary = await mirror.sync()

            #expect(summary.obstacle == nil && summary.missing == 0, "\(summary)")
            let retry = try mirror.store.state().retries[day]
            #expect(retry?.cause != .localError, "\(retry?.reason ?? "")")
        }
    }

    /// The only other copy of these contents may have rotted in `previous/`.
    @Test(arguments: [false, true])
    func aPictureThatReturnsIsArchivedOnceAndBesideItsRottenCopy(isRotten: Bool) async throws {
        try await withMirror { mirror in
            func publish(_ seed: UInt64) async throws -> [UInt8] {
                try mirror.replacePicture(2, seed: seed)
                await mirror.sync()
                return try mirror.tree.root.read(mirror.picture(2)) ?? []
            }
            let (one, other) = (try await publish(1), try await publish(2))
            let archived = try #require(try mirror.previousFiles().first { $0.value == one }?.key)
            if isRotten { try mirror.flipBit(archived) }
            let rotten = try mirror.tree.root.read(archived) ?? []
            let before = try mirror.traces()[archived]

            #expect(try await publish(1) == one)
            _ = try await publish(3)

            #expect(try mirror.tree.root.read(archived) == one)
            #expect(try (mirror.traces()[archived] == before) != isRotten)
            let previous = try mirror.previousFiles()
            #expect(previous.values.contains(other))
            #expect(previous.keys.filter { $0.hasSuffix(".jpg") }.count == 2)
            #expect(try mirror.damagedFiles() == (isRotten ? [rotten] : []))
        }
    }
}
