import ProgramTesting
import TestSupport

/// Kills the program before a random call that changes the file system, starts it again, and then cuts the power.
///
/// What the killed process named, and the next one reports, must be on the disk.
enum KillPowerPart: Part {
    static let name = "kill-power"
    static let variants = VolatileDisk.FileSystem.allCases.map(\.rawValue)
    static var obstacle: String? { PowerPart.obstacle }

    private static let scenarios: [Scenario] = [
        .firstSync, .edits, .videos, .repair, .retention, .returnFromTrash,
    ]
    private static let cuts = 4

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        guard let fileSystem = VolatileDisk.FileSystem(rawValue: variant) else { return }
        repeat {
            for scenario in scenarios.shuffled(using: &trials.random) where trials.hasTime {
                try await withRig(days: Scenario.days) { rig in
                    let calls = try await FaultTrial(scenario, rig).calls.count
                    let number = Int.random(in: 1...calls, using: &trials.random)
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
        for _ in 0..<cuts where trials.hasTime {
            let place = Int.random(in: recorded.places, using: &trials.random)
            trials.record(
                try await recorded.violations(at: place, seed: trials.random.next()),
                in: """
                    \(scenario.rawValue), killed at \(number), cut at \(place) of \(recorded.places)
                    """)
        }
    }
}
