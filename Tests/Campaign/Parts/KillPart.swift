import Glibc
import ProgramTesting
import TestSupport

/// Kills the program before each call that changes the file system.
enum KillPart: Part {
    static let name = "kill"
    static var variants: [String] { Scenario.allCases.map(\.rawValue) }
    static var obstacle: String? { FaultShim.isPossible ? nil : "no C compiler" }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await trials.play(variant) { trial, trials in
            let points = (1...trial.calls.count).shuffled(using: &trials.random)
            for number in points where trials.hasTime {
                trials.record(
                    try await trial.violations(of: .kill, at: number), in: "kill at \(number)")
            }
            if trials.count >= points.count { trials.add(1, to: "passes over all calls") }
        }
    }
}

/// Lets each call fail with each error of a disk, a quota or a limit.
enum ErrorPart: Part {
    static let name = "error"
    static var variants: [String] { Scenario.allCases.map(\.rawValue) }
    static var obstacle: String? { FaultShim.isPossible ? nil : "no C compiler" }

    private struct Point {
        let fault: FaultShim.Fault
        let number: Int
        var isOpen = false
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await trials.play(variant) { trial, trials in
            let points = points(of: trial).shuffled(using: &trials.random)
            for point in points where trials.hasTime {
                let found = try await trial.violations(
                    of: point.fault, at: point.number, point.isOpen ? ["FAULT_OPENS": "1"] : [:])
                trials.record(found, in: "\(point.fault) at \(point.number)")
            }
            if trials.count >= points.count { trials.add(1, to: "passes over all calls") }
        }
    }

    private static func points(of trial: FaultTrial) -> [Point] {
        let writing = ["write", "pwrite64", "copy_file_range", "sendfile"]
        let errors: [FaultShim.Fault] = [EIO, ENOSPC, EROFS, EDQUOT].map { .error($0) }
        return trial.calls.enumerated().flatMap { index, call in
            (errors + (writing.contains(call) ? [.shortWrite] : []))
                .map { Point(fault: $0, number: index + 1) }
        }
            + (1...max(1, trial.opens)).map {
                Point(fault: .error(EMFILE), number: $0, isOpen: true)
            }
    }
}

/// Kills the program after a random time.
enum RandomKillPart: Part {
    static let name = "random-kill"
    static var variants: [String] { Scenario.allCases.map(\.rawValue) }
    static var obstacle: String? { FaultShim.isPossible ? nil : "no C compiler" }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await trials.play(variant) { trial, trials in
            let limit = Int(trial.duration / .microseconds(1))
            while trials.hasTime {
                let time = Int.random(in: 0...limit, using: &trials.random)
                let found = try await trial.violations(mayKill: true) { root in
                    try await trial.scenario.play(
                        trial.rig, at: root, trial.rig.shim.kill(after: .microseconds(time)))
                }
                trials.record(found, in: "kill after \(time) of \(limit) µs")
            }
        }
    }
}
