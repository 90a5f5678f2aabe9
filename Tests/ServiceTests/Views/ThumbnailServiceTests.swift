import APOD
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing
import Thumbnails

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ThumbnailServiceTests {
    /// A log without its own rule that a line is left out for an hour after it.
    private func log(to lines: Monitor<[String]>) -> Log {
        let start = ContinuousClock.now
        let hours = Monitor(0)
        return Log(
            environment: [:],
            now: {
                let passed = hours.withLock { hours in
                    hours += 2
                    return hours
                }
                return start + .seconds(3600 * passed)
            },
            output: { line in lines.withLock { $0.append(line) } })
    }

    /// A user's file is in the place of the directory of the renditions.
    @Test func aLastingFailureOfRenditionsIsLoggedOnceAndDoesNotStopTheCopiesInV1() async throws {
        try await withTemporaryFolder { folder in
            let tree = try Tree.writing("\(folder)/apod", known: KnownMirrors(environment: [:]))
            let store = try Store(tree: tree, minimumFree: 0)
            try store.publishIfChanged(Array("mine".utf8), at: Rendition.folder)
            let lines = Monitor<[String]>([])
            let roundsOfCopies = Monitor(0)
            let service = ThumbnailService(
                Thumbnails(store: store), log: log(to: lines),
                changes: ChangeBroadcaster(),
                daysInV1: {
                    roundsOfCopies.withLock { $0 += 1 }
                    return []
                })

            await service.makeMissing()
            await service.makeMissing()

            #expect(lines.withLock(\.self).count == 1)
            #expect(roundsOfCopies.withLock(\.self) == 2)
        }
    }

    /// In between it is not due, and not tried.
    @Test func aLastingFailureOfAThumbnailIsLoggedOnce() async throws {
        try await withTemporaryFolder { folder in
            let tree = try Tree.writing("\(folder)/apod", known: KnownMirrors(environment: [:]))
            let store = try Store(tree: tree, minimumFree: 0)
            try addPicture(to: store)
            var options = Thumbnails.Options()
            options.program = try failingProgram(in: store)
            let lines = Monitor<[String]>([])
            let service = ThumbnailService(
                Thumbnails(store: store, options: options), log: log(to: lines),
                changes: ChangeBroadcaster())

            await service.makeMissing()
            let waiting = await service.makeMissing()
            let failed = await service.makeMissing(ignoresBackoff: true)

            #expect(waiting.failures.isEmpty && waiting.missing == 1)
            #expect(failed.failures.count == 1)
            #expect(lines.withLock(\.self).count == 1)
        }
    }

    /// It frees space.
    @Test func aFullDiskDoesNotPreventTheRemovalOfOldRenditions() async throws {
        try await withTemporaryFolder { folder in
            let tree = try Tree.writing("\(folder)/apod", known: KnownMirrors(environment: [:]))
            let store = try Store(tree: tree, minimumFree: 0)
            try addPicture(to: store)
            let old = Rendition.path(of: EmptyFileMirror.today.advanced(by: -1))
            let stamp =
                "apod-mirror: thumbnail of sha256 " + String(repeating: "0", count: 64)
            let header = [UInt8](repeating: 0, count: 20) + [0xFF, 0xFE, 0, 99]
            try store.publishIfChanged(header + Array(stamp.utf8), at: old)
            var options = Thumbnails.Options()
            options.program = try failingProgram(in: store)
            let full = try Store(tree: tree, minimumFree: 1 << 60)
            let service = ThumbnailService(
                Thumbnails(store: full, options: options), log: log(to: Monitor([])),
                changes: ChangeBroadcaster())

            let summary = await service.makeMissing()

            #expect(summary.obstacle == .noSpace)
            #expect(tree.root.isCertainlyMissing(old))
        }
    }

    /// Adds the picture of a day, which is not decoded.
    private func addPicture(to store: Store) throws {
        let day = EmptyFileMirror.today
        let path = "\(Layout.folder(Layout.pictures, of: day))/\(day) X.jpg"
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF]
        var hash = SHA256()
        hash.update(bytes)
        let record: JSON = [
            "date": .string("\(day)"), "title": "X", "explanation": "",
            "picture": [
                "path": .string(path), "bytes": .integer(bytes.count),
                "sha256": .string(hash.hexDigest()),
            ],
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        try store.publishIfChanged(bytes, at: path)
        try store.publishIfChanged(record.document, at: Layout.recordPath(of: day))
    }

    /// The path of a thumbnailer that lacks memory.
    private func failingProgram(in store: Store) throws -> String {
        let path = "\(Layout.own)/process"
        let script =
            "#!/bin/sh\nprintf '0 done' >&0\nhead -c 1 > /dev/null\n"
            + "printf '1 failed no memory' >&0\nexec sleep 1000\n"
        try store.publishIfChanged(Array(script.utf8), at: path)
        _ = unsafe chmod("\(store.tree.root.path)/\(path)", 0o755)
        return "\(store.tree.root.path)/\(path)"
    }
}
