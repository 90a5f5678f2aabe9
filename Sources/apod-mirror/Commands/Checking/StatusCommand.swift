import CommandLine
import JSON
import Platform
import Service

/// `apod-mirror status`: prints the state of the mirror.
struct StatusCommand {
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
        return switch report.health {
        case .ok: .done
        case .missing: .missing
        case .damaged: .damaged
        case .stale: .stale
        }
    }
}
