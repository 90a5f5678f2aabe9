import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror status`: prints the state of the mirror.
struct StatusCommand {
    private let tree: Tree
    private let days: TreeSnapshot
    private let report: StatusReport
    /// The option that asks for another form than text.
    private let form: Option?
    private let style: TerminalStyle
    private let listsAll: Bool
    private let environment: [String: String]

    init(_ arguments: Arguments) throws {
        form = try arguments.one(of: [.json, .metrics, .report])
        listsAll = try arguments.isOn(.missing)
        do {
            tree = try arguments.openTree()
            days = try TreeSnapshot(of: tree.root, .media)
            report = try StatusReport(
                of: tree, days: days,
                service: ServiceNote.find(root: tree.root.path, arguments.environment))
        } catch {
            if form == .metrics {
                // A command's own error is that no mirror was made yet.
                StandardStream.output.write(
                    raw: StatusReport.metrics(
                        ofUnreadable: arguments.mirror.root,
                        obstacle: error is CommandError ? nil : .disk,
                        endingWith: CommandError(error).code.rawValue))
            }
            throw error
        }
        style = TerminalStyle(environment: arguments.environment)
        environment = arguments.environment
    }

    func run() async -> ExitCode {
        var report = report
        report.failureBySystemd = await failureBySystemd()
        let code: ExitCode =
            switch report.health {
            case .ok: .done
            case .missing: .missing
            case .damaged: .damaged
            case .stale: .stale
            case .obstructed: report.obstacle?.exitCode ?? .failure
            case .failed: .failure
            }
        write(report, endingWith: code)
        return code
    }

    /// Where systemd has the reason, if the service whose mirror this is has failed before it could say why.
    private func failureBySystemd() async -> String? {
        guard report.writer == nil, report.failureOfService == nil,
            let unit = ServiceUnit.serving(report.root, environment: environment),
            let systemctl = ExternalProgram(
                "systemctl", unit.managerOptions + ["is-failed", "--quiet", "apod-mirror"],
                in: environment["PATH"]),
            await systemctl.succeeds(within: .seconds(5))
        else { return nil }
        let journal = unit.commandLine("journalctl", "-u", "apod-mirror")
        let (folder, name) = Layout.split(ServiceUnit.stateDirectory)
        let isLink =
            unit.managerOptions.isEmpty
            && (try? Directory(opening: folder))?.target(of: name) != nil
        let advice =
            isLink
            ? "; \(ServiceUnit.stateDirectory) is a link, which systemd refuses: follow other-disk.conf of the examples"
            : ""
        return "“\(journal)” has the reason\(advice)"
    }

    private func write(_ report: StatusReport, endingWith code: ExitCode) {
        switch form {
        case .json: StandardStream.output.write(json: report.json.document)
        case .metrics:
            StandardStream.output.write(raw: report.metrics(endingWith: code.rawValue))
        case .report:
            let support = SupportReport(report: report, tree: tree, snapshot: days)
            StandardStream.output.write(support.text)
        default:
            let text = StatusText(
                report: report, style: style, listsAll: listsAll,
                columns: StandardStream.output.columns)
            StandardStream.output.write(styled: text.text)
        }
    }
}
