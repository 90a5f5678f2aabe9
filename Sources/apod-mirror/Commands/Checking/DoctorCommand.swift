import APOD
import CommandLine
import JSON
import Platform
import Service

/// `apod-mirror doctor`: checks whether this machine, its disk and its network are fit for a mirror.
struct DoctorCommand {
    private let doctor: Doctor
    /// Compares what NASA serves with what this program expects, instead of the checks; `nil` without `--nasa`.
    private let survey: (@Sendable () async -> FeedSurvey)?
    private let isJSON: Bool
    private let style: TerminalStyle

    init(_ arguments: Arguments) throws {
        let settings = try Settings(arguments)
        let isOffline = try arguments.isOn(.offline)
        doctor = try Doctor(
            settings, opened: arguments.mirror.directory, known: arguments.knownMirrors,
            isOffline: isOffline, apiKey: isOffline ? nil : APIKey.find(arguments),
            environment: arguments.environment)
        if try arguments.isOn(.nasa) {
            guard settings.feedKind == .basic, !isOffline else {
                throw CommandError.usage("--nasa requires the feed “basic”, and the network")
            }
            survey = { await settings.survey() }
        } else {
            survey = nil
        }
        isJSON = try arguments.isOn(.json)
        style = TerminalStyle(environment: arguments.environment)
    }

    /// Runs the checks, or the survey, until they end or one of `signals` arrives; test files are removed in any case.
    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await runInterruptibly(
            by: signals, message: "interrupted; all test files are removed"
        ) {
            if let survey { return report(await survey()) }
            return try await check()
        }
    }

    private func check() async throws -> ExitCode {
        var results: [CheckResult] = []
        try await doctor.run { result in
            results.append(result)
            if !isJSON { StandardStream.output.write(styled: text(of: result)) }
        }
        if isJSON {
            let json: JSON = ["checks": .array(results.map(\.json))]
            StandardStream.output.write(json: json.document)
        }
        return results.contains { $0.severity == .problem } ? .failure : .done
    }

    /// Prints the table of `survey`, the rows that differ in yellow.
    private func report(_ survey: FeedSurvey) -> ExitCode {
        let rows = survey.rows
        if isJSON {
            let json: JSON = [
                "nasa": .array(
                    rows.map { row in
                        [
                            "name": .string(row.name), "now": .string(row.served),
                            "expected": .string(row.expected), "differs": .bool(!row.isAsExpected),
                        ]
                    })
            ]
            StandardStream.output.write(json: json.document)
        } else {
            StandardStream.output.write(
                "\(padded("", 9))\(padded("", 17))\(padded("now", 40))  expected\n")
            for row in rows {
                let (word, color): (String, TerminalStyle.Style) =
                    row.isAsExpected ? ("ok", .green) : ("differs", .yellow)
                let columns = "\(padded(row.name, 15))  \(padded(row.served, 40))"
                StandardStream.output.write(
                    styled: "\(style(padded(word, 7), color))  \(columns)  \(row.expected)\n")
            }
        }
        return rows.allSatisfy(\.isAsExpected) ? .done : .failure
    }

    /// `ok       write       root may write in /srv/apod`, and what to do below the message.
    private func text(of result: CheckResult) -> TerminalText {
        let color: TerminalStyle.Style =
            switch result.severity {
            case .ok: .green
            case .note: .yellow
            case .problem: .red
            }
        let severity = style(padded(result.severity.rawValue, 7), color)
        // Below the message: the columns before it have 7 and 11 characters, each with two blanks.
        let remedy = result.remedy.map { "\(padded("", 22))\($0)\n" } ?? ""
        return "\(severity)  \(padded(result.name, 11))  \(result.message)\n\(remedy)"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
