import Favorites
import Glibc
import Mirror
import Platform

/// The time from the last of 100,000 links, created without a pause, until all are known.
struct LinkBurst {
    private let bench: Workbench
    private let queue: Int

    private static let links = 100_000
    private static let limit = "/proc/sys/fs/inotify/max_queued_events"

    /// - Parameters:
    ///   - bench: The working directory.
    ///   - queue: The length of the event queue of the kernel, which only root can set.
    init(_ bench: Workbench, queue: Int) {
        self.bench = bench
        self.queue = queue
    }

    func measure() async throws -> [Goal] {
        guard let old = Self.setting, old == queue || Self.set(queue) else {
            bench.say("  left out: only root may change \(Self.limit)")
            return []
        }
        defer { _ = Self.set(old) }
        let missed = try await burst()
        return [
            Goal(
                "100,000 links, queue of \(queue): missed", unit: "", Double(missed), .exactly(0))
        ]
    }

    /// - Returns: The number of links that the last scan did not list.
    private func burst() async throws -> Int {
        let tree = try SampleTree(1000, in: bench.directory("copies"))
        let watch = DirectoryWatcher(of: Layout.favorites, in: try Directory(opening: tree.path))
        let root = try Directory(opening: tree.path)
        _ = try root.makeDirectory(Layout.favorites)
        _ = await watch.nextReason()
        _ = try await watch.scan()
        let end = Monitor(ContinuousClock.Instant?.none)
        startThread("links") {
            try? LinkMaker(tree: tree).make(Self.links)
            end.withLock { $0 = .now }
            watch.requestScan()
        }
        var seen = 0
        var scans = 0
        while seen < Self.links, let hint = await watch.nextReason(by: .now + .seconds(5)) {
            seen = Scan(try await watch.scan(), in: root).items.count
            scans += 1
            if hint == .due { break }
        }
        let delay = end.withLock { $0 }?.duration(to: .now).milliseconds ?? .infinity
        bench.say("  \(scans) scans, the last one \(delay.short) ms after the last link")
        return Self.links - seen
    }

    private static var setting: Int? {
        let text = try? FileDescriptor(opening: limit, O_RDONLY).readToEnd(limit: 64, path: limit)
        return text.flatMap { Int(String(decoding: $0.dropLast(), as: UTF8.self)) }
    }

    private static func set(_ length: Int) -> Bool {
        guard let file = try? FileDescriptor(opening: limit, O_WRONLY) else { return false }
        return (try? file.write(Array("\(length)".utf8), path: limit)) != nil
    }
}
