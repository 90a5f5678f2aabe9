import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror status`: prints the state of the mirror.
struct StatusCommand {
    /// The format of the output.
    private enum Format {
        case text, json, metrics
    }

    private let log: Log
    private let report: StatusReport
    private let format: Format
    private let style: TerminalStyle
    private let listsAll: Bool

    init(_ arguments: Arguments) throws {
        let (isJSON, isMetrics) = (try arguments.isOn(.json), try arguments.isOn(.metrics))
        guard !isJSON || !isMetrics else {
            throw CommandError.usage("--json and --metrics cannot be combined")
        }
        format = isJSON ? .json : isMetrics ? .metrics : .text
        listsAll = try arguments.isOn(.missing)
        report = try StatusReport(of: try arguments.openTree())
        log = Log(environment: arguments.environment)
        style = TerminalStyle(.output, environment: arguments.environment)
    }

    func run() -> ExitCode {
        switch format {
        case .text:
            StandardStream.output.write(
                styled: StatusText(report: report, style: style, listsAll: listsAll).text)
        case .json: StandardStream.output.write(json: report.json.document)
        case .metrics: StandardStream.output.write(Metrics(report).text)
        }
        if report.isStateHidden {
            log.error(
                "apod-mirror: this user may not read \(report.root)/.apod-mirror/state.json, so missing days"
                    + " are unknown; run the command as the owner of the file or as root"
            )
        }
        return switch report.health {
        case .ok: .done
        case .missing: .missing
        case .damaged: .damaged
        case .stale: .stale
        }
    }
}
