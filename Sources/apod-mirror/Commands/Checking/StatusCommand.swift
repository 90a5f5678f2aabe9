import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror status`: prints the state of the mirror.
struct StatusCommand {
    private let report: StatusReport
    /// The option that asks for another form than text.
    private let form: Option?
    private let style: TerminalStyle
    private let listsAll: Bool
    /// `nil` without `--report`.
    private let support: SupportReport?

    init(_ arguments: Arguments) throws {
        form = try arguments.one(of: [.json, .metrics, .report])
        listsAll = try arguments.isOn(.missing)
        let tree = try arguments.openTree()
        let days = try TreeSnapshot(of: tree.root)
        report = try StatusReport(of: tree, days: days)
        support = form == .report ? SupportReport(report: report, tree: tree, snapshot: days) : nil
        style = TerminalStyle(environment: arguments.environment)
    }

    func run() -> ExitCode {
        switch form {
        case .json: StandardStream.output.write(json: report.json.document)
        case .metrics: StandardStream.output.write(raw: report.metrics)
        case .report: StandardStream.output.write(support?.text ?? "")
        default:
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
