import APOD
import CommandLine
import JSON
import Platform
import Service

/// `apod-mirror doctor`: checks whether this machine, its disk and its network are fit for a mirror.
struct DoctorCommand {
    private let doctor: Doctor
    private let isJSON: Bool
    private let style: TerminalStyle

    init(_ arguments: Arguments) throws {
        let settings = try Settings(arguments)
        doctor = try Doctor(
            settings, known: arguments.knownMirrors, environment: arguments.environment,
            isOffline: try arguments.isOn(.offline))
        isJSON = try arguments.isOn(.json)
        style = TerminalStyle(environment: arguments.environment)
    }

    func run() async throws -> ExitCode {
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

    /// The widths of the first two columns, each of which two blanks follow.
    private static let severityWidth = 7
    private static let nameWidth = 11

    /// The line of a check, such as `ok       write        root may write in /srv/apod`, and below its message what to do.
    private func text(of result: CheckResult) -> TerminalText {
        let color: TerminalStyle.Style =
            switch result.severity {
            case .ok: .green
            case .note: .yellow
            case .problem: .red
            }
        let severity = style(padded(result.severity.rawValue, to: Self.severityWidth), color)
        let name = padded(result.name, to: Self.nameWidth)
        let indent = padded("", to: Self.severityWidth + 2 + Self.nameWidth + 2)
        let remedy = result.remedy.map { "\(indent)\($0)\n" } ?? ""
        return "\(severity)  \(name)  \(result.message)\n\(remedy)"
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
