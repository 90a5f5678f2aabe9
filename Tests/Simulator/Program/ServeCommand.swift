import APOD
import CommandLine
import FoundationEssentials
import Platform
import Simulator

/// `apod-mirror-simulator serve`: serves a simulated NASA until a signal arrives.
struct ServeCommand {
    private let simulator: Simulator
    /// The shell command for apod-mirror.
    private let command: String

    init(_ arguments: SimulatorArguments) throws {
        command = MirrorProgram(searchPath: arguments["PATH"])?.command ?? "apod-mirror"
        let port = try arguments.value(.port, "a port from 0 to 65535", UInt16.init) ?? 0
        let days =
            try arguments.value(.days, "a number of days") { text in
                Int(text).flatMap { $0 > 0 ? $0 : nil }
            } ?? 60
        let seed = try arguments.value(.seed, "a number", UInt64.init) ?? 1
        let entries = try arguments.value(.entries, "a file") { $0 }
        let pictures = try arguments.value(.pictures, "a directory") { $0 }
        simulator = try Simulator(
            try Self.archive(entries, pictures, days: days, seed: seed), port: port)
    }

    private static func archive(
        _ entries: String?, _ pictures: String?, days: Int, seed: UInt64
    ) throws -> Archive {
        if let entries { return try .real(entries: entries, pictures: pictures) }
        guard pictures == nil else {
            throw CommandError.usage("--pictures requires --entries FILE")
        }
        return .generated(newest: .today, days: days, seed: seed)
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        StandardStream.output.write(
            """
            serving \(counted(simulator.published.count, "day")) of a simulated NASA until Ctrl+C; in another terminal, run:
              \(command) run --once --root /tmp/apod --upstream \(simulator.basicAddress)
            v1 feed: \(simulator.v1Address)

            """)
        let code = await signals?.nextEnd()
        simulator.stop()
        return code == .terminated ? .done : code ?? .failure
    }
}

extension Day {
    /// Today in UTC.
    static var today: Day {
        Day.first.advanced(
            by: Int(Date().timeIntervalSince1970) / 86_400 - Day.first.number)
    }
}
