import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror status`: prints the state of the mirror, read from its files; the exit code says whether all is well.
struct StatusCommand {
    private enum Form {
        /// For people; `--missing` lists all days that lack a file.
        case text(listsAll: Bool)
        case json
        /// For Prometheus.
        case metrics
        /// For a request for help.
        case report
    }

    private let arguments: Arguments
    private let form: Form

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        let text = Form.text(listsAll: try arguments.isOn(.missing))
        form = try arguments.choice(
            [.json: .json, .metrics: .metrics, .report: .report], else: text)
    }

    func run() async throws -> ExitCode {
        do {
            let tree = try MirrorAccess(arguments).openForReading()
            let days = try TreeSnapshot(of: tree.root, .media)
            var report = try StatusReport(
                of: tree, snapshot: days,
                service: ServiceNote.find(root: tree.root.path, arguments.environment))
            report.failureBySystemd = await failureBySystemd(besides: report)
            write(report, of: tree, days)
            return report.exitCode
        } catch {
            if case .metrics = form { writeMetrics(ofUnreadableMirror: error) }
            throw error
        }
    }

    private func write(_ report: StatusReport, of tree: Tree, _ days: TreeSnapshot) {
        let output = StandardStream.output
        switch form {
        case .text(let listsAll):
            let text = StatusText(
                report: report, style: TerminalStyle(environment: arguments.environment),
                listsAll: listsAll, columns: output.columns)
            output.write(styled: text.text)
        case .json: output.write(json: report.json.document)
        case .metrics:
            output.write(raw: report.metrics(endingWith: report.exitCode.rawValue))
        case .report:
            output.write(SupportReport(report: report, tree: tree, snapshot: days).text)
        }
    }

    /// Writes metrics although `error` prevents that the mirror is read, because an alert needs numbers.
    private func writeMetrics(ofUnreadableMirror error: any Error) {
        // A `CommandError` says that there is no mirror yet; other errors come from the disk.
        StandardStream.output.write(
            raw: StatusReport.metrics(
                ofUnreadable: arguments.mirror.root, obstacle: error is CommandError ? nil : .disk,
                endingWith: CommandError(error).code.rawValue))
    }

    /// Where the user finds why the service failed before it could write a ``ServiceNote``; `nil` if it has not failed.
    private func failureBySystemd(besides report: StatusReport) async -> String? {
        guard report.writer == nil, report.failureOfService == nil,
            let unit = ServiceUnit.serving(report.root, environment: arguments.environment),
            let systemctl = ExternalProgram(
                "systemctl", unit.managerOptions + ["is-failed", "--quiet", "apod-mirror"],
                in: arguments.environment["PATH"]),
            await systemctl.succeeds(within: .seconds(5))
        else { return nil }
        let journal = unit.commandLine("journalctl", "-u", "apod-mirror")
        return "“\(journal)” has the reason\(Self.advice(for: unit))"
    }

    /// What to do about the most frequent reason, a link in place of the directory; empty if there is no such link.
    private static func advice(for unit: ServiceUnit) -> String {
        let (folder, name) = Layout.split(ServiceUnit.stateDirectory)
        guard unit.managerOptions.isEmpty,
            (try? Directory(opening: folder))?.target(of: name) != nil
        else { return "" }
        return
            "; \(ServiceUnit.stateDirectory) is a link, which systemd refuses: follow other-disk.conf of the examples"
    }
}

extension StatusReport {
    var exitCode: ExitCode {
        switch health {
        case .ok: .done
        case .missing: .missing
        case .unknown: .failure
        case .damaged: .damaged
        case .stale: .stale
        case .obstructed: obstacle?.exitCode ?? .failure
        case .failed: .failure
        }
    }
}
