import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Mirror

/// No file of a user is taken over or replaced, whatever its name is.
@Suite(.timeLimit(.minutes(10))) struct FreePathTests {
    private let day = MirrorUnderTest.newest

    /// The day has no record: its name and its time make no file the mirror's.
    @Test(arguments: ["jpg", "html"])
    func aFileOfTheUserKeepsItsNameOnANewDay(fileExtension: String) async throws {
        try await withMirror(days: 1) { mirror in
            let picture = SimulatedPicture.drawn("x.jpg", seed: 3, width: 48, height: 32)
            mirror.simulator.publish(
                SimulatedEntry(
                    day: day, title: "A Day", explanationHTML: "So.",
                    media: fileExtension == "html" ? .other : .picture(picture)))
            let stem = "pictures/2026/2026-11/2026-11-20 A Day"
            let path = "\(stem).\(fileExtension)"
            try mirror.write("mine", to: path)
            try mirror.tree.root.openFile(path, O_RDONLY).setModified(day.noon, path: path)

            await mirror.sync(since: .days(1))

            let record = try #require(try mirror.store.record(of: day))
            #expect((record.picture?.path ?? record.page) == "\(stem) 2.\(fileExtension)")
            #expect(try mirror.tree.root.read(path) == Array("mine".utf8))
            for folder in [Layout.damaged, Layout.previous] {
                #expect(try mirror.tree.root.status(folder) == nil)
            }
        }
    }

    /// The records are lost: pictures with the names and bytes of the downloads are those of their days again.
    @Test func filesWithTheSameBytesKeepTheirNames() async throws {
        try await withMirror(days: 12, extras: .all) { mirror in
            await mirror.sync(downloadsVideos: true)
            let before = try mirror.contents()
            removeTree(mirror.absolute(Layout.metadata))

            await mirror.sync(downloadsVideos: true)

            let after = try mirror.contents()
            #expect(after.keys == before.keys)
            #expect(
                after.filter { $0.key.hasPrefix(Layout.pictures) }
                    == before.filter { $0.key.hasPrefix(Layout.pictures) })
        }
    }

    /// The link is named as the mirror's own, which leads from an old extension to a new one.
    @Test func aLinkOfTheUserKeepsItsNameWhenThePictureGetsAnotherType() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.picture(0)
            let (folder, name) = Layout.split(before)
            let stem = name.dropLast(4)
            try mirror.tree.root.symlink("\(folder)/\(stem).png", to: name)
            var entry = try #require(mirror.simulator.entry(of: day))
            entry.media = .drawn("better.png", seed: 7, width: 64, height: 40, format: .png)
            mirror.simulator.publish(entry)

            await mirror.sync()

            #expect(try mirror.picture(0) == "\(folder)/\(stem) 2.png")
            #expect(mirror.tree.root.target(of: "\(folder)/\(stem).png") == name)
            #expect(mirror.tree.root.target(of: before) == "\(stem) 2.png")
        }
    }

    /// A person puts a file there when the path is chosen and the picture is staged.
    @Test func aFileThatTakesTheNameOfAStagedPictureIsMovedAside() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            let root = mirror.tree.root
            let (picture, record) = (try mirror.picture(0), Layout.recordPath(of: day))
            let incoming = try mirror.store.incoming
            try root.rename(picture, to: incoming, as: "\(day) picture")
            try root.rename(record, to: incoming, as: Layout.record(of: day))
            try mirror.write("mine", to: picture)

            try DayPublisher(store: mirror.store, day: day).resume()

            #expect(try mirror.contents() == before)
            let aside = try #require(try root.folder(Layout.aside))
            #expect(try aside.textNames().map { try aside.read($0) } == [Array("mine".utf8)])
        }
    }

    /// The staged picture is lost, so that the edit is undone; what is in `previous/`, `--keep` may delete.
    @Test func aFileThatTookTheNameOfALostStagedPictureIsMovedAside() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            let root = mirror.tree.root
            let path = try "\(mirror.picture(0).dropLast(4)).png"
            var edit = try mirror.record(0)
            edit.revision += 1
            edit.picture?.path = path
            edit.picture?.sha256 = String(repeating: "0", count: 64)
            try mirror.store.publishAlways(
                edit.json.document, in: mirror.store.incoming, as: Layout.record(of: day))
            try mirror.write("mine", to: path)

            try DayPublisher(store: mirror.store, day: day).resume()

            #expect(try mirror.contents() == before)
            let aside = try #require(try root.folder(Layout.aside))
            #expect(try aside.textNames().map { try aside.read($0) } == [Array("mine".utf8)])
        }
    }
}
