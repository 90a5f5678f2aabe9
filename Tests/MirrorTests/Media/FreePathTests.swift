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
            mirror.simulator.publish(
                SimulatedEntry(
                    day: day, title: "A Day", explanationHTML: "So.",
                    media: fileExtension == "html"
                        ? .other : .drawn("x.jpg", seed: 3, width: 48, height: 32)))
            let stem = "pictures/2026/2026-11/2026-11-20 A Day"
            let path = "\(stem).\(fileExtension)"
            try mirror.write("mine", to: path)
            try mirror.tree.root.openFile(path, O_RDONLY).setModified(day.noon)

            await mirror.sync(since: .days(1))

            let record = try mirror.record(0)
            #expect((record.picture?.path ?? record.page) == "\(stem) 2.\(fileExtension)")
            #expect(try mirror.text(path) == "mine")
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
            for (path, bytes) in after where path.hasPrefix(Layout.pictures) {
                #expect(bytes == before[path], "\(path)")
            }
        }
    }

    /// A person puts a file there when the path is chosen, and the picture is staged or its staged file is lost.
    ///
    /// It does not go to `previous/`, which `--keep` may delete.
    @Test(arguments: [false, true])
    func aFileThatTakesTheNameOfAStagedPictureIsMovedAside(isLost: Bool) async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let before = try mirror.contents()
            let root = mirror.tree.root
            let incoming = try mirror.store.incoming
            let (staged, record) = (Layout.recordName(of: day), Layout.recordPath(of: day))
            var path = try mirror.picture(0)
            if isLost {
                path = "\(path.dropLast(4)).png"
                var edit = try mirror.record(0)
                edit.revision += 1
                edit.picture?.path = path
                edit.picture?.sha256 = String(repeating: "0", count: 64)
                try mirror.store.publish(edit.json.document, at: "\(Layout.incoming)/\(staged)")
            } else {
                try root.rename(path, to: incoming, as: "\(day) picture")
                try root.rename(record, to: incoming, as: staged)
            }
            try mirror.write("mine", to: path)

            try DayPublisher(store: mirror.store, day: day).resume()

            #expect(try mirror.contents() == before)
            let aside = try #require(try root.folder(Layout.aside))
            #expect(try aside.textNames().map { try aside.read($0) } == [Array("mine".utf8)])
            #expect(mirror.tree.takeMovedItems().map(\.path) == [path])
        }
    }
}
