import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror status`: what is here, what is not and why.
struct StatusCommand {
    /// How it is told.
    private enum Form {
        case words, json, metrics
    }

    private let log: Log
    private let report: StatusReport
    private let form: Form
    private let style: TerminalStyle
    private let hasAll: Bool

    init(_ arguments: Arguments) throws {
        let (isJSON, isMetrics) = (try arguments.isOn(.json), try arguments.isOn(.metrics))
        guard !isJSON || !isMetrics else {
            throw CommandError.usage("--json and --metrics: it can be told in one form only")
        }
        form = isJSON ? .json : isMetrics ? .metrics : .words
        hasAll = try arguments.isOn(.missing)
        let tree = try Tree.reading(
            try Settings.root(arguments),
            known: KnownMirrors(environment: arguments.environment))
        report = try StatusReport(of: tree)
        log = Log(environment: arguments.environment)
        style = TerminalStyle(.output, environment: arguments.environment)
    }

    func run() -> ExitCode {
        switch form {
        case .words:
            StandardStream.output.write(styled: StatusText(report, style, hasAll: hasAll).text)
        case .json: StandardStream.output.write(json: report.json.document)
        case .metrics: StandardStream.output.write(Metrics(report).text)
        }
        if report.isStateHidden {
            log.error(
                "apod-mirror: \(report.root)/.apod-mirror/state.json is readable by its owner and group"
                    + " only: which days are missing is not known; run this as one of them or as root"
            )
        }
        return switch report.health {
        case .ok: .done
        case .missing: .missing
        case .stale: .stale
        }
    }
}
