import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import TestSupport

/// Cuts the power of a disk with a volatile cache.
///
/// A sequence of seven commands is recorded on such a disk, then cut at random writes: flushed data is
/// present, and a random set of the other sectors. As a control, a run without fsync(2) must lose data.
/// A repair, an adoption and a removal by `--keep` are cut likewise.
enum PowerPart: Part {
    static let name = "power"
    static let variants = VolatileDisk.FileSystem.allCases.map(\.rawValue)

    static var obstacle: String? {
        if geteuid() != 0 { return "only root can mount a disk" }
        if !FaultShim.isPossible { return "no C compiler" }
        let probe =
            "which mkfs.xfs mkfs.btrfs mkfs.ext4 && test -c /dev/fuse -a -c /dev/loop-control"
        return unsafe system("(\(probe)) >/dev/null 2>&1") == 0
            ? nil : "no xfsprogs, btrfs-progs, FUSE or loop devices"
    }

    /// The cuts of a recorded story and of a scenario.
    private static let cuts = (story: 25, scenario: 10)
    /// The cuts of the control, at least and at most: the first ones may be at places where nothing is lost.
    private static let controlCuts = (least: 2, most: 25)
    private static let scenarios: [Scenario] = [.repair, .adoption, .retention]

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        guard let fileSystem = VolatileDisk.FileSystem(rawValue: variant) else { return }
        repeat {
            try await withRig(days: 8) { rig in
                let disk = try await VolatileDisk(fileSystem, rig)
                let story = try await Story(disk, rig, isSynced: true)
                for _ in 0..<cuts.story where trials.hasTime {
                    let (place, seed) = (
                        Int.random(in: 1...story.end, using: &trials.random), trials.random.next()
                    )
                    trials.record(
                        try await story.violations(at: place, seed: seed),
                        in: "cut at \(place) of \(story.end)")
                }
            }
            try await withRig(days: 8) { rig in
                let disk = try await VolatileDisk(fileSystem, rig)
                let story = try await Story(disk, rig, isSynced: false)
                var hasLosses = false
                for number in 0..<controlCuts.most where number < controlCuts.least || !hasLosses {
                    let place = Int.random(in: 1...story.end, using: &trials.random)
                    let found = try await story.violations(at: place, seed: trials.random.next())
                    trials.add(1, to: "cuts of the control")
                    trials.add(found.isEmpty ? 0 : 1, to: "cuts of the control with losses")
                    if !found.isEmpty { hasLosses = true }
                }
            }
            for scenario in scenarios where trials.hasTime {
                try await cut(scenario, fileSystem, &trials)
            }
        } while trials.hasTime
        if trials.figures["cuts of the control with losses"] == 0 {
            trials.record(["the control lost nothing"], in: "all recordings", count: 0)
        }
    }

    private static func cut(
        _ scenario: Scenario, _ fileSystem: VolatileDisk.FileSystem, _ trials: inout Trials
    ) async throws {
        try await withRig(days: Scenario.days) { rig in
            let disk = try await VolatileDisk(fileSystem, rig)
            let recorded = try await RecordedScenario(scenario, disk, rig)
            for _ in 0..<cuts.scenario where trials.hasTime {
                let place = Int.random(in: recorded.places, using: &trials.random)
                trials.record(
                    try await recorded.violations(at: place, seed: trials.random.next()),
                    in: "\(scenario.rawValue), cut at \(place) of \(recorded.places)")
                trials.add(1, to: "cuts of \(scenario.rawValue)")
            }
        }
    }
}

/// A recorded sequence of commands on a disk, with the results reported at each step.
private struct Story {
    fileprivate enum Step: CaseIterable {
        case firstDays, favorite, moreDays, link, edits, noFavorite, allDays
    }

    private let rig: Rig
    private let disk: VolatileDisk
    private let oracle: Oracle
    /// The entries of NASA before and after the edits.
    private let originals: [SimulatedEntry]
    private let edited: [SimulatedEntry]
    /// Before the first step and after each: the number of records, and the tree.
    private let moments: [(records: Int, tree: TreeImage)]
    /// The last record before the disk was unmounted.
    let end: Int

    private var root: String { "\(disk.mountPoint)/apod" }

    init(_ disk: VolatileDisk, _ rig: Rig, isSynced: Bool) async throws {
        self.rig = rig
        self.disk = disk
        let root = "\(disk.mountPoint)/apod"
        try rig.site.addVideo()
        originals = rig.site.newest(4)
        try rig.site.editAll()
        edited = rig.site.newest(4)

        try await disk.record()
        var moments: [(records: Int, tree: TreeImage)] = [(0, try TreeImage(of: root))]
        for step in Step.allCases {
            try await Self.perform(
                step, rig, root, step < .edits ? originals : edited,
                isSynced ? [:] : rig.shim.unsynced)
            // Counted after the command ended, when its reported results are on the disk.
            moments.append((try await disk.records(), try rig.site.tree(root)))
        }
        end = max(1, moments.last?.records ?? 0)
        self.moments = moments
        try await disk.stop()
        for moment in moments where !moment.tree.incoming.isEmpty {
            throw RigError(text: "left over: \(moment.tree.incoming)")
        }
        oracle = Oracle(
            whole: moments.last?.tree ?? moments[0].tree, earlier: moments.map(\.tree),
            canary: rig.canary)
    }

    /// Executes a step, or the rest of it.
    private static func perform(
        _ step: Step, _ rig: Rig, _ root: String, _ entries: [SimulatedEntry],
        _ variables: [String: String] = [:]
    ) async throws {
        for entry in entries { rig.site.simulator.publish(entry) }
        let favorite = "\(Site.day(1))"
        func sync(_ days: Int, thumbnails: String = "no") async throws {
            try await rig.sync(
                root, ["--since", "\(days)d", "--thumbnails", thumbnails], variables)
        }
        switch step {
        case .firstDays: try await sync(2)
        case .favorite:
            _ = try await rig.runOffline(["favorites", "add", favorite], root, variables)
        case .moreDays: try await sync(4)
        case .link:
            let day = Site.day(3)
            let hasLink = try rig.site.tree(root).files["favorites/mine of \(day)"] != nil
            if !hasLink { try await rig.makeLink(root, to: day) }
            try await sync(4)
        case .edits: try await sync(6)
        case .noFavorite:
            _ = try await rig.runOffline(["favorites", "remove", favorite], root, variables)
        case .allDays: try await sync(8, thumbnails: "yes")
        }
    }

    /// One power cut, after which the sequence continues where it was interrupted.
    func violations(at place: Int, seed: UInt64) async throws -> [String] {
        try await disk.mountAfterCut(at: place, seed: seed)
        let half = try rig.site.tree(root)
        let reported = moments.lastIndex { $0.records <= place } ?? 0
        let (tree, next) = (
            moments[reported].tree, moments[min(reported + 1, moments.count - 1)].tree
        )
        let acknowledged = Oracle.Acknowledged(
            days: tree.complete, favorites: tree.favorites.intersection(next.favorites),
            possibleFavorites: tree.favorites.union(next.favorites), tree: tree)
        var violations = oracle.violations(in: half, after: acknowledged)

        rig.site.simulator.resetLog()
        do {
            // A clean start first, which must not mistake a lost link for a removed favorite.
            try await Self.perform(
                reported < 4 ? .firstDays : .allDays, rig, root, entries(reported))
            violations += acknowledged.favorites.subtracting(try rig.site.tree(root).favorites)
                .map { "favorite \($0) is gone after a clean start" }
            for step in Step.allCases.dropFirst(reported) {
                try await Self.perform(step, rig, root, step < .edits ? originals : edited)
            }
            try await Self.perform(.link, rig, root, edited)
            try await Self.perform(.allDays, rig, root, edited)
        } catch {
            violations.append("\(error)")
        }
        violations += oracle.violations(
            in: try rig.site.tree(root), afterCleanStart: nil, from: half,
            rig.site.simulator.requests)
        try await disk.unmount()
        return violations
    }

    private func entries(_ reported: Int) -> [SimulatedEntry] { reported < 4 ? originals : edited }
}

extension Story.Step: Comparable {
    fileprivate static func < (one: Self, other: Self) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
}

extension Site {
    /// The entries of the newest days.
    fileprivate func newest(_ count: Int) -> [SimulatedEntry] {
        (0..<count).compactMap { simulator.entry(of: Site.day($0)) }
    }
}
