package import APOD
internal import Favorites
package import FoundationEssentials
package import Mirror
package import Platform

/// A mirror and its model: each operation is applied to both.
package final class Trial {
    package private(set) var world: World
    package private(set) var tree: Tree
    package let disk: RealDisk
    /// The number of operations by name.
    package private(set) var counts: [String: Int] = [:]
    /// The number of outcomes by kind.
    package private(set) var effects: [String: Int] = [:]
    /// `nil` after a start, until the first scan.
    private var process: (store: Store, favorites: Favorites)?
    /// After the last reconciliation.
    private var earlier: [Day: Favorite] = [:]
    private let time: Monitor<Int>
    private let clock = Monitor(Uptime(boot: "0", milliseconds: 1_000_000))

    package init(root: String, days: [Day]) throws {
        let pictures = days.map { day in
            (day, "\(Layout.folder(Layout.pictures, of: day))/\(day) Title of it.jpg")
        }
        disk = RealDisk(root: root, pictures: Dictionary(uniqueKeysWithValues: pictures))
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        // The last two days are not mirrored yet.
        world = World(mirrored: Set(days.dropLast(2)), latest: days[0])
        let time = Monitor(world.now)
        self.time = time
        for day in world.mirrored { try disk.mirror(day) }
        disk.publish(days[0])
        disk.makeDirectory("favorites")
        disk.makeDirectory("outside")
    }

    private static func clock(_ time: Monitor<Int>) -> @Sendable () -> Date {
        { Date(timeIntervalSince1970: TimeInterval(time.withLock { $0 })) }
    }

    /// Applies the operation to the model and to the disk, unless the model rejects it.
    ///
    /// - Returns: The differences between disk and model, after an operation that scans.
    package func perform(_ operation: Operation) async throws -> [String] {
        var next = world
        guard next.apply(operation) else { return [] }
        world = next
        counts[operation.name, default: 0] += 1
        time.withLock { $0 = next.now }
        clock.withLock {
            $0 = Uptime(boot: "\(next.boots)", milliseconds: next.uptime * 1000)
        }
        var lines: [String] = []
        switch operation {
        case .restart, .reboot: process = nil
        case .scan(let checksAll): lines = try await scan(checksAll: checksAll)
        case .scanWithout(let folder): lines = try await scan(without: folder)
        case .losePicture(let day):
            disk.losePicture(of: day)
            lines = try await scan(checksAll: true)
        case .loseRecord(let day):
            disk.unlink("\(FavoriteStore.folder)/\(day).json")
        default: try disk.perform(operation, tree)
        }
        return operation.isScan ? lines + (try differences()) : []
    }

    /// The time of the trial.
    package var now: @Sendable () -> Date { Self.clock(time) }

    /// The uptime of the trial.
    package var uptime: @Sendable () -> Uptime { { [clock] in clock.withLock { $0 } } }

    /// Applies a scan of another process to the model.
    package func scanModel() { world.scan() }

    /// Copies into the model what depends on the times of scans by another process.
    package func copyUnobservedState() throws {
        world.copyRecreatedLinks(from: disk)
        try world.copyUnobservedRecords(from: tree)
    }

    /// The differences between disk and model.
    package func differences(isLoose: Bool = false) throws -> [String] {
        try Difference(of: tree, disk, from: world, isLoose: isLoose).lines
    }

    /// The days of all records.
    package func recorded() throws -> Set<Day> {
        Set(try FavoriteStore(tree: tree).storedFavorites().favorites.keys)
    }

    /// Continues as a reader: another process writes the mirror.
    package func handOver() throws {
        process = nil
        tree = try Tree.reading(disk.root, known: KnownMirrors(environment: [:]))
    }

    private func scan(checksAll: Bool) async throws -> [String] {
        try await reconcile(Scan(of: tree.root), checksAll: checksAll)
    }

    private func scan(without folder: String) async throws -> [String] {
        var scan = Scan(of: tree.root)
        scan.items.removeAll { $0.name.text.hasPrefix(folder + "/") }
        let error = SystemError("open", path: folder, code: 13)
        scan.failures = [.init(path: Array(folder.utf8), error: error)]
        return try await reconcile(scan, checksAll: true)
    }

    private func reconcile(_ scan: Scan, checksAll: Bool) async throws -> [String] {
        let process = try process ?? start()
        self.process = process
        // The process made none of the changes that it finds.
        process.store.snapshots.recordChange(of: .first)
        process.store.snapshots.invalidate()
        let outcome = try await process.favorites.reconcile(scan, checksAll: checksAll)
        count(outcome)
        guard outcome.failures.isEmpty else { return outcome.failures.map(\.description) }
        let wanted = Set(world.records.keys).subtracting(world.mirrored)
        return outcome.wanted == wanted
            ? [] : ["wanted are \(outcome.wanted.sorted()), not \(wanted.sorted())"]
    }

    private func start() throws -> (store: Store, favorites: Favorites) {
        let store = try Store(besideWriterOf: tree)
        return (store, Favorites(of: store, now: now, uptime: uptime))
    }

    private func count(_ outcome: ReconcileOutcome) {
        let effects = [
            "added": outcome.added.count, "removed": outcome.removed.count,
            "returned": outcome.favorites.values.count {
                !$0.isMissing && earlier[$0.day]?.isMissing == true
            },
            "held": outcome.favorites.values.count {
                $0.isHeld && earlier[$0.day]?.isHeld == false
            },
            "recreated": outcome.notices.count { $0.contains("created again") },
            "repaired": outcome.notices.count { $0.hasPrefix("repaired ") },
            "unrecognized": outcome.unrecognized.count,
        ]
        earlier = outcome.favorites
        self.effects.merge(effects) { $0 + $1 }
    }
}

extension RealDisk {
    /// Applies an operation of a user or of the mirror.
    package func perform(_ operation: Operation, _ tree: Tree) throws {
        switch operation {
        case .make(let thing, let path): make(thing, at: path)
        case .makeDirectory(let path): makeDirectory(path)
        case .replace(let target, let path): replace(target, at: path)
        case .rename(let old, let new): rename(old, to: new)
        case .exchange(let one, let other): exchange(one, with: other)
        case .remove(let path): remove(path)
        case .requestForget(let day): try FavoriteStore(tree: tree).requestForget(day)
        case .publish(let day): publish(day)
        case .mirror(let day): try mirror(day)
        case .losePicture, .loseRecord, .advance, .setClock, .restart, .reboot, .scan, .scanWithout:
            break
        }
    }
}
