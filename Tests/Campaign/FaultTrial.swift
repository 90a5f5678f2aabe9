import Glibc
import ProgramTesting
import Simulator

/// A scenario with its correct result, which is repeated with faults.
struct FaultTrial {
    let scenario: Scenario
    let rig: Rig
    private let before: TreeImage
    private let oracle: Oracle
    /// The duration of the command without a fault.
    let duration: Duration
    /// The calls of the command without a fault.
    let calls: [String]
    /// The files that the command opens without a fault.
    let opens: Int
    /// The calls that examine or read files of the mirror without a fault.
    let reads: Int
    /// The directory of an older program in its initial state.
    private let source: [String: [Int]]

    private var start: String { "\(rig.site.folder)/before" }
    private var root: String { "\(rig.site.folder)/trial" }

    init(_ scenario: Scenario, _ rig: Rig) async throws {
        self.scenario = scenario
        self.rig = rig
        let (start, root) = ("\(rig.site.folder)/before", "\(rig.site.folder)/trial")
        try await scenario.prepare(rig, at: start)
        before = try rig.site.tree(start)
        source = try rig.site.traces(Scenario.source)

        try await rig.copy(start, to: root)
        let opening = rig.shim.variables(.kill, atOpening: -1)
        _ = try await scenario.play(rig, at: root, opening)
        opens = rig.shim.calls.count

        try await rig.copy(start, to: root)
        let reading = rig.shim.reads(of: "\(root)/", code: 0, from: -1)
        _ = try await scenario.play(rig, at: root, reading)
        reads = rig.shim.calls.count

        try await rig.copy(start, to: root)
        let began = ContinuousClock.now
        let calm = try await scenario.play(rig, at: root, rig.shim.variables(.kill, at: -1))
        duration = began.duration(to: .now)
        calls = rig.shim.calls
        guard calm.code == 0 else { throw RigError(text: "\(scenario): \(calm)") }
        let clean = try await scenario.repeatCleanly(rig, at: root)
        guard clean.code == 0 else { throw RigError(text: "\(scenario): \(clean)") }
        oracle = Oracle(
            whole: try rig.site.tree(root), earlier: [before], canary: rig.canary)
    }

    /// One trial: the command with a fault, then without.
    ///
    /// - Parameters:
    ///   - mayKill: Whether the fault is a kill.
    ///   - fault: Runs the scenario with the fault.
    /// - Returns: The violations that the oracle found.
    /// - Throws: Errors of the rig.
    func violations(
        mayKill: Bool, _ fault: (_ root: String) async throws -> Ending
    ) async throws -> [String] {
        try await rig.copy(start, to: root)
        rig.site.simulator.resetLog()
        let faulty = try await fault(root)
        let half = try rig.site.tree(root)
        let acknowledged = scenario.acknowledged(before: before, whole: oracle.whole)
        var violations = oracle.violations(in: half, after: acknowledged)
        if scenario.isCommand || faulty.code == nil {
            violations += oracle.violations(of: faulty, in: half)
        }
        let status = try await rig.runOffline(["status", "--json"], root)
        violations += oracle.violations(ofStatus: status, in: half, after: faulty)
        if faulty.signal != nil, !mayKill { violations.append("crashed") }

        let first = rig.site.simulator.requests
        rig.site.simulator.resetLog()
        let clean = try await scenario.repeatCleanly(rig, at: root)
        let tree = try rig.site.tree(root)
        violations += oracle.violations(
            in: tree, afterCleanStart: clean, from: half, rig.site.simulator.requests)
        violations += oracle.losses(in: tree, of: before)
        violations += scenario.violations(in: first + rig.site.simulator.requests)
        if try rig.site.traces(Scenario.source) != source {
            violations.append("the directory of the older program changed")
        }
        if !violations.isEmpty { violations.append("the faulty run: \(faulty)") }
        return violations
    }

    /// One trial with a fault at the call numbered `number`.
    func violations(
        of fault: FaultShim.Fault, at number: Int, _ more: [String: String] = [:]
    )
        async throws -> [String]
    {
        let variables = rig.shim.variables(fault, at: number).merging(more) { $1 }
        return try await violations(mayKill: fault == .kill) { root in
            try await scenario.play(rig, at: root, variables)
        }
    }
}

extension Trials {
    /// Runs `body` with the scenario of that name.
    mutating func play(
        _ name: String,
        _ body: nonisolated(nonsending) (FaultTrial, inout Trials) async throws -> Void
    ) async throws {
        guard let scenario = Scenario(rawValue: name) else { return }
        try await withRig(days: Scenario.days) { rig in
            try await body(FaultTrial(scenario, rig), &self)
        }
    }
}
