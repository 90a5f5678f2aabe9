import APOD
import Glibc
import JSON
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing
import Thumbnails

@testable import Views

/// What a person puts into the places of views is never deleted or overwritten, however much it looks like the mirror's.
@Suite(.timeLimit(.minutes(10))) struct ForeignFileTests {
    private let newest = MirrorOfDays.newest

    /// All views, with every option on or off.
    private static func settings(on isOn: Bool) -> ViewSettings {
        var settings = ViewSettings()
        settings.baseURL = isOn ? "https://me.org/" : nil
        settings.v1Days = isOn ? 3 : 0
        settings.wallpapers.maximumCount = isOn ? 3 : 0
        settings.writesSidecars = isOn
        return settings
    }

    /// NASA's answer as a person saved it, formatted as any pretty printer does.
    private static let savedAnswer = Array(
        "{\n  \"date\": \"2019-01-01\",\n  \"service_version\": \"v1\",\n  \"title\": \"Mine\"\n}\n"
            .utf8)

    /// A gallery publishes its pages seconds after it has made the first one.
    @Test func whatAPersonSavesBeforeABatchIsPublishedStays() async throws {
        try await withMirror { mirror in
            let files = ViewFiles(of: .gallery, in: mirror.store)
            let paths = ["gallery/2025.html", "gallery/2026.html"]
            _ = try files.publish([ViewFiles.File(path: paths[0], bytes: [1])])
            let batch = try ViewBatch(of: files)
            try batch.add(paths.map { ViewFiles.File(path: $0, bytes: [2, 2]) })
            for path in paths { try mirror.write([3], to: path) }

            let outcome = try batch.publish()

            #expect(outcome.changed == [] && outcome.obstructed == paths)
            for path in paths { #expect(try mirror.root.read(path) == [3]) }
            #expect(try mirror.root.folder(Layout.incoming)?.names() == [])
        }
    }

    /// As one that is immutable, or in a folder of root.
    @Test func aFileThatCannotBeReplacedDoesNotKeepTheOthersOld() async throws {
        try await withMirror { mirror in
            let files = ViewFiles(of: .gallery, in: mirror.store)
            let paths = ["gallery/2025.html", "gallery/words/2026.js", "index.html"]
            func wanted(_ byte: UInt8) -> [ViewFiles.File] {
                paths.map { ViewFiles.File(path: $0, bytes: [byte]) }
            }
            _ = try files.publish(wanted(1))
            // A folder in the place of the hidden name under which a file waits.
            let waiting = String(
                decoding: Directory.waitingPath(for: paths[1]), as: UTF8.self)
            _ = try mirror.root.makeDirectory(waiting)

            let outcome = try files.publish(wanted(2))

            #expect(outcome.changed == [paths[0], paths[2]])
            #expect(outcome.failures.map(\.path) == ["\(mirror.root.path)/\(paths[1])"])
            #expect(try paths.map { try mirror.root.read($0) } == [[2], [1], [2]])
            #expect(try mirror.root.folder(Layout.incoming)?.names() == [])

            try mirror.root.removeDirectory(waiting)
            #expect(try files.publish(wanted(2)).changed == [paths[1]])
            #expect(try files.publish(wanted(2)).changed == [])
        }
    }

    @Test func aFolderThatCannotBeMadeKeepsOnlyItsOwnFilesBack() async throws {
        try await withMirror { mirror in
            let files = ViewFiles(of: .gallery, in: mirror.store)
            let batch = try ViewBatch(of: files)
            let paths = ["gallery/words/2025.js", "gallery/words/2026.js", "index.html"]
            try batch.add(paths.map { ViewFiles.File(path: $0, bytes: [2]) })
            try mirror.write([3], to: "gallery/words")

            let outcome = try batch.publish()

            #expect(outcome.changed == ["index.html"])
            #expect(Set(outcome.failures.map(\.path)) == ["\(mirror.root.path)/gallery/words"])
            #expect(try mirror.root.read("index.html") == [2])
        }
    }

    /// Two services may make the same thumbnail at once.
    @Test func whatTwoTasksPublishAtOnceIsInNobodysWay() async throws {
        try await withMirror { mirror in
            let files = ViewFiles(of: .thumbnails, in: mirror.store)
            let path = Layout.thumbnail(of: newest)
            let batches = try (0..<2).map { _ in try ViewBatch(of: files) }
            for batch in batches { try batch.add([ViewFiles.File(path: path, bytes: [1, 2])]) }

            let outcomes = try batches.map { try $0.publish() }

            #expect(outcomes.map(\.changed) == [[path], []])
            #expect(outcomes.map(\.obstructed) == [[], []])
            #expect(try files.owns(path))
        }
    }

    @Test func whatLooksLikeTheMirrorsStays() async throws {
        try await withMirror { mirror in
            let picture = try mirror.add(newest, Chart(96, 64).jpeg(), size: (2000, 1200))
            let thumbnails = Thumbnails(store: mirror.store)
            _ = await thumbnails.makeNewest(in: try TreeSnapshot(of: mirror.root))
            let thumbnail = try #require(try mirror.root.read(Layout.thumbnail(of: newest)))
            let files: [String: [UInt8]] = [
                "v1/2019-01-01.json": Self.savedAnswer, "v1/2019-01-02.jpg": thumbnail,
                "v1/apod.json": Self.savedAnswer, "latest.json": Self.savedAnswer,
                "feed.xml": Array(
                    "<feed>apod-mirror<generator>apod-mirror</generator></feed>".utf8),
                "gallery/2018.html": Array(
                    "<meta name=\"generator\" content=\"apod-mirror\">mine".utf8),
                "index.html": Array("<meta name=\"generator\" content=\"apod-mirror\">mine".utf8),
            ]
            for (path, bytes) in files { try mirror.write(bytes, to: path) }
            let name = Layout.split(picture).name
            // A link that equals the mirror's is taken over.
            let links = [
                "latest.jpg": "./\(picture)", "wallpapers/\(name)": ".././\(picture)",
                "wallpapers/2018-01-01 X.jpg": "../pictures/2018/2018-01/2018-01-01 X.jpg",
            ]
            _ = try mirror.root.makeDirectory("wallpapers")
            for (path, target) in links { try mirror.root.symlink(path, to: target) }
            let next = newest.advanced(by: 1)

            for isOn in [true, false, true, false] {
                mirror.restart(Self.settings(on: isOn), views: allViews)
                try await mirror.refresh()
                if isOn { try mirror.add(next, Chart(64, 64).jpeg(), size: (2000, 1200)) }
            }

            for (path, bytes) in files { #expect(try mirror.root.read(path) == bytes, "\(path)") }
            for (path, target) in links {
                #expect(mirror.root.target(of: path) == target, "\(path)")
            }
        }
    }

    /// The view had the same link there before, and made another one since.
    @Test func aLinkOfAPersonToAnEarlierPictureStays() async throws {
        try await withMirror { mirror in
            let earlier = try mirror.add(newest.advanced(by: -1), Chart(96, 64).jpeg())
            try await mirror.refresh()
            let later = try mirror.add(newest, Chart(64, 64).jpeg())
            try await mirror.refresh()
            #expect(mirror.root.target(of: Layout.latestPicture) == later)
            try mirror.root.remove(Layout.latestPicture)
            try mirror.root.symlink(Layout.latestPicture, to: earlier)

            try mirror.add(newest.advanced(by: 1), Chart(48, 64).jpeg())
            let outcome = try await mirror.refresh()

            #expect(mirror.root.target(of: Layout.latestPicture) == earlier)
            #expect(outcome.problems.count == 1)
        }
    }

    // MARK: Random

    private static let places = ForeignPlaces(beside: [
        "pictures/2026/2026-11/2026-11-20 A Chart.jpg",
        "pictures/2026/2026-11/2026-11-19 A Chart.jpg",
    ]).ofViews

    /// 150 rounds of all views, with any settings and favorites, beside what a person makes and removes.
    ///
    /// `APOD_MIRROR_SEED` sets the random seed.
    @Test func nothingOfAPersonIsLost() async throws {
        let seed =
            processEnvironment()["APOD_MIRROR_SEED"].flatMap { UInt64($0) }
            ?? .random(in: 0...99_999)
        var random = SplitMix(state: seed)
        try await withMirror { mirror in
            _ = try mirror.root.makeDirectory(Layout.favorites)
            let days = (0..<4).map { newest.advanced(by: -$0) }
            for day in days {
                try mirror.add(day, Chart(96, 64).jpeg(), size: (2000, 1200))
            }
            /// What the person has: the contents of a file, or the target of a link.
            var mine: [String: (isLink: Bool, bytes: [UInt8])] = [:]
            for round in 0..<150 {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    guard let path = Self.places.randomElement(using: &random) else { continue }
                    mine[path] = try Self.put(path, round, in: mirror, &random)
                }
                if round % 10 == 9, let path = mine.keys.sorted().randomElement(using: &random) {
                    try mirror.root.remove(path)
                    mine[path] = nil
                }
                if let day = days.randomElement(using: &random) {
                    mirror.favorites.formSymmetricDifference([day])
                    try mirror.add(
                        day, Chart(96, 64).jpeg(), size: (2000, 1200),
                        ["title": .string("Title \(round)")])
                }
                mirror.restart(
                    Self.settings(on: Bool.random(using: &random)), views: allViews, decodes: false)
                try await mirror.refresh()
                for (path, item) in mine {
                    let found =
                        try item.isLink
                        ? mirror.root.targetBytes(of: path) : mirror.root.read(path)
                    try #require(
                        found == item.bytes, "APOD_MIRROR_SEED=\(seed), round \(round): \(path)")
                }
            }
            #expect(mine.count > Self.places.count / 2)
        }
    }

    /// Puts a file or link at `path` that looks like the mirror's, and is not.
    private static func put(
        _ path: String, _ round: Int, in mirror: MirrorOfDays, _ random: inout SplitMix
    ) throws -> (isLink: Bool, bytes: [UInt8]) {
        let mark = "mine, of round \(round)"
        var bytes = Array("{\n  \"date\": \"2026-11-20\",\n  \"service_version\": \"v1\"\n}".utf8)
        // A copy of another file of the mirror, or of the one that was there.
        let copied = Bool.random(using: &random) ? path : places.randomElement(using: &random)
        if let copied, let found = try? mirror.root.read(copied) { bytes = found }
        if Bool.random(using: &random) { bytes.removeLast(min(bytes.count, 9)) }
        bytes += Array(mark.utf8)
        let (folderPath, name) = Layout.split(path)
        let folder = folderPath == "." ? mirror.root : try mirror.root.makeDirectory(folderPath)
        let exists = try folder.status(name) != nil
        if Bool.random(using: &random) {
            if exists { try folder.remove(name) }
            let target = "../pictures/2026/2026-11/\(mark).jpg"
            try folder.symlink(name, to: target)
            return (true, Array(target.utf8))
        }
        // In place, as an editor writes, or a new file, as a file manager does.
        let isInPlace = try Bool.random(using: &random) && folder.status(name)?.kind == .file
        if exists, !isInPlace { try folder.remove(name) }
        try folder.open(name, O_WRONLY | O_CREAT | O_TRUNC).write(bytes, path: path)
        return (false, bytes)
    }
}
