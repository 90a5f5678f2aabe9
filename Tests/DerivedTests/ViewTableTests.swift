import APOD
import Glibc
import JSON
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing

@testable import Views

extension MirrorOfDays {
    /// Starts again with all views; pages, wallpapers, sidecars, feeds and `v1/` show the newest days.
    fileprivate func restartAll(decodes: Bool = false) {
        var settings = ViewSettings(baseURL: "https://me.org/")
        settings.v1Days = 3
        settings.wallpapers.maximumCount = 3
        settings.writesSidecars = true
        restart(settings, views: allViews, decodes: decodes)
    }

    @discardableResult
    fileprivate func add(_ day: Day, titled title: String) throws -> String {
        try add(
            day, Chart(96, 64).jpeg(), size: (2000, 1200), ["title": .string(title)])
    }

    /// The bytes of the files with tables, by path.
    fileprivate func tables() throws -> [String: [UInt8]] {
        var tables: [String: [UInt8]] = [:]
        var folders = [Layout.views]
        while let path = folders.popLast() {
            for name in try root.folder(path)?.textNames() ?? [] {
                let path = "\(path)/\(name)"
                if try root.status(path)?.kind == .directory {
                    folders.append(path)
                } else {
                    tables[path] = try root.read(path)
                }
            }
        }
        return tables
    }

    /// Puts the tables of a backup in place, which removes no file that is newer.
    fileprivate func restore(_ tables: [String: [UInt8]]) throws {
        for (path, bytes) in tables { try write(bytes, to: path) }
    }
}

/// The table of each view: it stays small, and without it no file of the mirror is lost to it.
@Suite(.timeLimit(.minutes(10))) struct ViewTableTests {
    private let newest = MirrorOfDays.newest

    @Test func editsOfATitleDoNotMakeTheTablesGrow() async throws {
        try await withMirror { mirror in
            try mirror.add(newest.advanced(by: -1), titled: "Another Chart")
            var sizes: [Int] = []
            for edit in 10..<22 {
                try mirror.add(newest, titled: "Edit \(edit)")
                mirror.restartAll()
                for _ in 0..<2 { #expect(try await mirror.refresh().problems == []) }
                sizes.append(try mirror.tables().values.reduce(0) { $0 + $1.count })
            }

            let (least, most) = (sizes.dropFirst().min() ?? 0, sizes.dropFirst().max() ?? 0)
            // The digits of numbers.
            #expect(most - least < 200 && least > 0, "\(sizes)")
        }
    }

    @Test func anUpdateWithoutChangesWritesNoTable() async throws {
        try await withMirror { mirror in
            try mirror.add(newest, titled: "A Chart")
            for _ in 0..<2 {
                mirror.restartAll()
                try await mirror.refresh()
            }
            let before = try mirror.tables().keys.sorted().map { try mirror.root.status($0) }

            mirror.restartAll()
            #expect(try await mirror.refresh().changedPaths == [])

            let after = try mirror.tables().keys.sorted().map { try mirror.root.status($0) }
            #expect(before == after && !after.isEmpty)
        }
    }

    /// The table names the new contents and those before; the kill left either.
    @Test(arguments: [false, true])
    func afterAKillBetweenTableAndFileTheFileIsTheMirrors(isWritten: Bool) async throws {
        try await withMirror { mirror in
            try mirror.add(newest, titled: "The First")
            mirror.restartAll()
            try await mirror.refresh()
            let paths = ["index.html", "feed.xml", "latest.json", "v1/\(newest).json"]
            let first = try paths.map { try mirror.root.read($0) ?? [] }
            try mirror.add(newest, titled: "The Second")
            try await mirror.refresh()
            if !isWritten {
                for (path, bytes) in zip(paths, first) { try mirror.write(bytes, to: path) }
            }

            try mirror.add(newest, titled: "The Third")
            mirror.restartAll()

            #expect(try await mirror.refresh().problems == [])
            for path in paths { #expect(try mirror.text(path)?.contains("The Third") == true) }
        }
    }

    /// A person restores an earlier file from a backup, without the table.
    @Test(arguments: ["feed.xml", "feed.rss", "latest.json", "v1/2026-11-20.json"])
    func aFileThatWasRestoredFromABackupIsUpdatedOrNamed(path: String) async throws {
        try await withMirror { mirror in
            try mirror.add(newest, titled: "The First")
            mirror.restartAll()
            try await mirror.refresh()
            let first = try #require(try mirror.root.read(path))
            // The table knows the last two.
            for title in ["The Second", "The Third"] {
                try mirror.add(newest, titled: title)
                try await mirror.refresh()
            }
            try mirror.write(first, to: path)
            try mirror.add(newest, titled: "The Fourth")
            mirror.restartAll()

            let outcome = try await mirror.refresh()

            let isUpdated = try #require(try mirror.text(path)).contains("The Fourth")
            let isFeed = path.hasPrefix("feed")
            #expect(isUpdated == isFeed)
            #expect(outcome.inTheWay == (isFeed ? [] : [path]))
            #expect(outcome.problems.count == outcome.inTheWay.count)
        }
    }

    @Test(arguments: ["removed", "damaged", "a directory", "a fifo"])
    func withoutTablesTheFilesOfTheMirrorAreTakenOver(_ kind: String) async throws {
        try await withMirror { mirror in
            let other = try mirror.add(newest.advanced(by: -1), titled: "Another Chart")
            try mirror.add(newest, titled: "A Chart")
            mirror.restartAll()
            for _ in 0..<2 { try await mirror.refresh() }
            for path in try mirror.tables().keys {
                try mirror.root.remove(path)
                switch kind {
                case "damaged": try mirror.write([0x7B, 0x22], to: path)
                case "a directory": _ = try mirror.root.makeDirectory(path)
                case "a fifo":
                    try #require(unsafe mkfifo("\(mirror.root.path)/\(path)", 0o600) == 0)
                default: break
                }
            }
            mirror.restartAll()
            let outcome = try await mirror.refresh()
            #expect(outcome.changedPaths == [] && outcome.problems == [])

            try mirror.add(newest, titled: "Another Title")
            try mirror.remove(other, of: newest.advanced(by: -1))
            #expect(try await mirror.refresh().problems == [])

            for path in [
                "index.html", "gallery/2026.html", "gallery/2026-11.html", "feed.xml",
                "latest.json", "v1/\(newest).json",
            ] {
                #expect(try mirror.text(path)?.contains("Another Title") == true, "\(path)")
            }
            let name = Layout.split(other).name
            #expect(try mirror.root.status("wallpapers/\(name)") == nil)
            #expect(try mirror.root.status("\(other).xmp") == nil)
        }
    }

    /// The backup of a day before was copied back over the mirror, and removed nothing.
    @Test func whatIsNewerThanTheTablesOfABackupFollowsNASA() async throws {
        try await withMirror { mirror in
            let day = newest.advanced(by: 1)
            try mirror.add(newest, titled: "The Day Before")
            mirror.restartAll(decodes: true)
            for _ in 0..<2 { try await mirror.refresh() }
            let backup = try mirror.tables()
            let picture = try mirror.add(day, titled: "The First Title")
            try mirror.root.setModified(day.noon, of: picture)
            for _ in 0..<2 { try await mirror.refresh() }
            #expect(try mirror.root.status(Layout.thumbnail(of: day)) != nil)
            try mirror.restore(backup)

            // NASA edits that day before the next update, and its picture is replaced.
            try mirror.add(day, titled: "The Second Title")
            _ = try ViewFiles(of: .thumbnails, in: mirror.store).remove([
                Layout.thumbnail(of: day)
            ])
            #expect(try mirror.root.status(Layout.thumbnail(of: day)) == nil)
            mirror.restartAll(decodes: true)
            try mirror.root.setModified(day.noon, of: picture)
            try await mirror.refresh()

            for path in ["index.html", "gallery/2026.html", "gallery/2026-11.html"] {
                #expect(try mirror.text(path)?.contains("The Second Title") == true, "\(path)")
            }
            #expect(try mirror.root.status(Layout.thumbnail(of: day)) != nil)
        }
    }

    /// As a program that optimizes pictures leaves it.
    @Test func aThumbnailThatAPersonEditedStays() async throws {
        try await withMirror { mirror in
            try mirror.add(newest, titled: "A Chart")
            mirror.restartAll(decodes: true)
            try await mirror.refresh()
            let path = Layout.thumbnail(of: newest)
            var bytes = try #require(try mirror.root.read(path))
            bytes.insert(contentsOf: [0xFF, 0xFE, 0, 3, 0], at: bytes.count - 2)
            try mirror.write(bytes, to: path)

            _ = try ViewFiles(of: .thumbnails, in: mirror.store).remove([path])

            #expect(try mirror.root.read(path) == bytes)
        }
    }
}
