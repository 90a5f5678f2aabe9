import CommandLine
import JSON
import Platform
import Service

/// `apod-mirror status`: prints the state of the mirror.
struct StatusCommand {
    private let log: Log
    private let report: StatusReport
    private let isJSON: Bool
    private let isMetrics: Bool
    private let style: TerminalStyle
    private let listsAll: Bool

    init(_ arguments: Arguments) throws {
        isJSON = try arguments.isOn(.json, without: .metrics)
        isMetrics = try arguments.isOn(.metrics, without: .json)
        listsAll = try arguments.isOn(.missing)
        report = try StatusReport(of: try arguments.openTree())
        log = Log(environment: arguments.environment)
        style = TerminalStyle(environment: arguments.environment)
    }

    func run() -> ExitCode {
        if isJSON {
            StandardStream.output.write(json: report.json.document)
        } else if isMetrics {
            StandardStream.output.write(raw: report.metrics)
        } else {
            let text = StatusText(
                report: report, style: style, listsAll: listsAll,
                columns: StandardStream.output.columns)
            StandardStream.output.write(styled: text.text)
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
