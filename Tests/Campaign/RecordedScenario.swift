import Mirror
import Platform
import ProgramTesting
import Simulator

/// A scenario whose command runs on a disk with a volatile cache, recorded, to be cut at any write of it.
struct RecordedScenario {
    let scenario: Scenario
    private let rig: Rig
    private let disk: VolatileDisk
    private let oracle: Oracle
    /// The states before and after the command.
    private let before: TreeImage
    private let after: TreeImage
    /// The writes and flushes from the first one of the command to the last one of the clean start after it.
    let places: ClosedRange<Int>
    /// The number of writes when the command ended.
    private let ended: Int
    private let isKilled: Bool

    private var root: String { "\(disk.mountPoint)/apod" }

    /// The command is killed before the call `number` that changes the file system, and started again, if it is
    /// given.
    init(
        _ scenario: Scenario, _ disk: VolatileDisk, _ rig: Rig, killedAt number: Int? = nil
    ) async throws {
        self.scenario = scenario
        self.rig = rig
        self.disk = disk
        isKilled = number != nil
        let root = "\(disk.mountPoint)/apod"
        try await disk.record()
        try await scenario.prepare(rig, at: root)
        let isFlushed = try Directory(opening: disk.mountPoint).flushFileSystem()
        precondition(isFlushed, "the disk has no syncfs(2)")
        before = try rig.site.tree(root)
        let began = try await disk.records()
        if let number {
            _ = try await scenario.play(rig, at: root, rig.shim.variables(.kill, at: number))
        }
        let half = try rig.site.tree(root)
        let ending =
            number == nil
            ? try await scenario.play(rig, at: root, [:])
            : try await scenario.repeatCleanly(rig, at: root)
        // Counted after the command ended, when its reported results are on the disk.
        ended = try await disk.records()
        after = try rig.site.tree(root)
        let clean = try await scenario.repeatCleanly(rig, at: root)
        guard ending.code == 0, clean.code == 0 else {
            throw RigError(text: "\(scenario): \(ending), \(clean)")
        }
        places = began...max(ended, try await disk.records())
        let whole = try rig.site.tree(root)
        oracle = Oracle(whole: whole, earlier: [before, half, after], canary: rig.canary)
        try await disk.stop()
    }

    /// One power cut, after which the command and a sync run again.
    func violations(at place: Int, seed: UInt64) async throws -> [String] {
        try await disk.mountAfterCut(at: place, seed: seed)
        let half = try rig.site.tree(root)
        let wasReported = place >= ended
        var acknowledged = scenario.acknowledged(before: before, whole: oracle.whole)
        if wasReported {
            acknowledged.days = after.complete
            acknowledged.favorites = after.favorites
            acknowledged.tree = after
        }
        var violations = oracle.violations(in: half, after: acknowledged)
        if wasReported, !half.revisions.isSuperset(of: after.revisions) {
            violations.append("a record that was reported is not there")
        }
        rig.site.simulator.resetLog()
        if isKilled { try forgetKill() }
        let clean = try await scenario.repeatCleanly(rig, at: root)
        let tree = try rig.site.tree(root)
        violations += oracle.violations(
            in: tree, afterCleanStart: clean, from: half, rig.site.simulator.requests)
        violations += oracle.losses(in: tree, of: before)
        violations += scenario.violations(in: rig.site.simulator.requests)
        try await disk.unmount()
        return violations
    }

    /// Makes the cut the first end of its downloads: the days of a second one wait for a day, which this does not.
    private func forgetKill() throws {
        // The cut may come before the folder of the mirror is on the disk.
        guard
            let incoming = try Directory(opening: disk.mountPoint).folder("apod/\(Layout.incoming)")
        else { return }
        for name in try incoming.textNames() where name.hasSuffix(" unfinished") {
            try incoming.remove(name)
        }
    }
}
