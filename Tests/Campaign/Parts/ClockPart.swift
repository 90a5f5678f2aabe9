import FoundationEssentials
import ProgramTesting

/// Runs once or several times with a wrong clock, which may not become trusted through its own syncs, then with the
/// right one.
enum ClockPart: Part {
    static let name = "clocks"
    static var variants: [String] { Scenario.allCases.map(\.rawValue) }
    static var obstacle: String? { FaultShim.isPossible ? nil : "no C compiler" }

    private static let hour = 3600
    private static var clocks: [(name: String, seconds: Int)] {
        let now = Int(Date().timeIntervalSince1970)
        let year = 365 * 24 * hour
        return [
            ("1970", -now + 1000), ("2038", 2_147_483_648 - now), ("a year ahead", year),
            ("a year behind", -year), ("a day ahead", 24 * hour), ("a day behind", -24 * hour),
            ("an hour ahead", hour), ("an hour behind", -hour), ("ten years ahead", 10 * year),
            ("25 hours of suspension", 25 * hour),
        ]
    }

    /// Both hemispheres, half hours, and both ends of the date line.
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
        "Pacific/Kiritimati", "Pacific/Niue",
    ]

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await trials.play(variant) { trial, trials in
            let cases = clocks.flatMap { clock in zones.map { (clock, $0) } }
            for (clock, zone) in cases.shuffled(using: &trials.random) where trials.hasTime {
                let variables = trial.rig.shim.clock(ahead: clock.seconds)
                    .merging(["TZ": zone]) { $1 }
                let runs = Int.random(in: 1...3, using: &trials.random)
                let found = try await trial.violations(mayKill: false) { root in
                    for _ in 1..<runs {
                        _ = try await trial.rig.run(
                            ["run", "--once", "-q"], root, trial.scenario.options, variables)
                    }
                    return try await trial.scenario.play(trial.rig, at: root, variables)
                }
                trials.record(found, in: "\(clock.name), \(zone), \(runs) runs")
            }
            if trials.count >= cases.count { trials.add(1, to: "passes over all clocks") }
        }
    }
}
