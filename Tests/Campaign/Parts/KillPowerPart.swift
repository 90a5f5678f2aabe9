import ProgramTesting
import TestSupport

/// Kills the program after it named a file, starts it again, and then cuts the power.
///
/// What the killed process named, and the next one reports, must be on the disk.
enum KillPowerPart: Part {
    static let name = "kill-power"
    static let variants = VolatileDisk.FileSystem.allCases.map(\.rawValue)
    static var obstacle: String? { PowerPart.obstacle }

    private static let scenarios: [Scenario] = [
        .firstSync, .edits, .videos, .repair, .retention,
    ]
    private static let cuts = 4

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        guard let fileSystem = VolatileDisk.FileSystem(rawValue: variant) else { return }
        repeat {
            for scenario in scenarios.shuffled(using: &trials.random) where trials.hasTime {
                try await withRig(days: Scenario.days) { rig in
                    // Where a file just got its name, but perhaps not its bytes.
                    let calls = try await FaultTrial(scenario, rig).calls
                    let named = calls.indices.filter {
                        calls[$0].contains("rename") || calls[$0].contains("link")
                    }
                    guard let call = named.randomElement(using: &trials.random) else { return }
                    let number = min(call + 2, calls.count)
                    try await cut(scenario, killedAt: number, fileSystem, rig, &trials)
                }
            }
        } while trials.hasTime
    }

    private static func cut(
        _ scenario: Scenario, killedAt number: Int, _ fileSystem: VolatileDisk.FileSystem,
        _ rig: Rig, _ trials: inout Trials
    ) async throws {
        let disk = try await VolatileDisk(fileSystem, rig)
        let recorded = try await RecordedScenario(scenario, disk, rig, killedAt: number)
        // After the last write first: what was reported must be there.
        let places =
            [recorded.places.upperBound]
            + (1..<cuts).map { _ in Int.random(in: recorded.places, using: &trials.random) }
        for place in places where trials.hasTime {
            trials.record(
                try await recorded.violations(at: place, seed: trials.random.next()),
                in: """
                    \(scenario.rawValue), killed at \(number), cut at \(place) of \(recorded.places)
                    """)
        }
    }
}
