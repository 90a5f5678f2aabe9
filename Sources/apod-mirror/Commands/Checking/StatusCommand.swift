import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror status`: prints how the mirror and its daemon are; the exit code says whether all is well.
///
/// ``StatusReport`` reads this from files. Only if no process has the mirror open, and no file says that the service has failed,
/// this command asks systemd.
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
            let snapshot = try TreeSnapshot(of: tree.root, .media)
            var report = try StatusReport(
                of: tree, snapshot: snapshot,
                service: ServiceNote.find(root: tree.root.path, arguments.environment))
            // A daemon that runs, or has noted why it failed, needs no answer of systemd.
            if report.writer == nil, report.failureOfService == nil {
                report.failureBySystemd = await failureBySystemd(of: tree)
            }
            write(report, of: tree, snapshot)
            return report.exitCode
        } catch {
            if case .metrics = form { writeMetrics(ofUnreadableMirror: error) }
            throw error
        }
    }

    private func write(_ report: StatusReport, of tree: Tree, _ snapshot: TreeSnapshot) {
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
            output.write(SupportReport(report: report, tree: tree, snapshot: snapshot).text)
        }
    }

    /// Writes the metrics of a mirror that cannot be read because of `error`: an alert needs numbers then, too.
    private func writeMetrics(ofUnreadableMirror error: any Error) {
        // A `CommandError` says that there is no mirror yet; other errors come from the disk.
        StandardStream.output.write(
            raw: StatusReport.metrics(
                ofUnreadable: arguments.mirror.root, obstacle: error is CommandError ? nil : .disk,
                endingWith: CommandError(error).code.rawValue))
    }

    /// Where the user finds why the service of the mirror failed before it could write a ``ServiceNote``.
    ///
    /// - Returns: `nil` if systemd knows of no failure, or if the mirror has no service.
    private func failureBySystemd(of tree: Tree) async -> String? {
        guard
            let unit = ServiceUnit.serving(tree.root.path, environment: arguments.environment),
            let systemctl = ExternalProgram(
                "systemctl", unit.managerOptions + ["is-failed", "--quiet", "apod-mirror"],
                in: arguments.environment["PATH"]),
            await systemctl.succeeds(within: .seconds(5))
        else { return nil }
        let journal = unit.commandLine("journalctl", "-u", "apod-mirror")
        let failure = "“\(journal)” has the reason"
        let isOfSystem = unit.managerOptions.isEmpty
        guard isOfSystem, Self.hasLinkForStateDirectory else { return failure }
        return "\(failure); \(ServiceUnit.stateDirectory) is a link, which systemd refuses:"
            + " follow other-disk.conf of the examples"
    }

    /// Whether the directory of the service was replaced by a link, the most frequent reason of such a failure.
    private static var hasLinkForStateDirectory: Bool {
        let (folder, name) = Layout.split(ServiceUnit.stateDirectory)
        return (try? Directory(opening: folder))?.target(of: name) != nil
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
