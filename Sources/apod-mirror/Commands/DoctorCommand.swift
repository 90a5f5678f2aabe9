import APOD
import CommandLine
import JSON
import Mirror
import Platform
import Service
import Transfer

/// `apod-mirror doctor`: whether this machine, its disk and its network are fit for a mirror.
struct DoctorCommand {
    private let doctor: Doctor
    private let isJSON: Bool
    private let style: TerminalStyle

    init(_ arguments: Arguments) throws {
        let settings = try Settings(arguments)
        // Nobody waits minutes for a doctor.
        let client = settings.client(
            hosts: HostBackoff(), retry: RetryPolicy(attempts: 2, patience: .zero))
        let feed =
            try arguments.isOn(.offline)
            ? nil : settings.feed(through: client, apiKey: try APIKey.find(arguments))
        let patient = try DoctorContext(
            root: settings.root, known: KnownMirrors(environment: arguments.environment))
        doctor = Doctor(
            patient, minimumFree: settings.minimumFree, feed: feed,
            thumbnailer: Installation.helper("apod-mirror-thumbnailer"),
            environment: arguments.environment)
        isJSON = try arguments.isOn(.json)
        style = TerminalStyle(.output, environment: arguments.environment)
    }

    /// Examines until all is known, or one of `signals` ends it; what it tries out is removed even so.
    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode.self) { group in
            group.addTask { try await examine() }
            group.addTask {
                let code = await signals?.wait()
                throw CommandError("interrupted: nothing is left behind", code ?? .failure)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .failure
        }
    }

    private func examine() async throws -> ExitCode {
        var findings: [CheckResult] = []
        try await doctor.run { finding in
            findings.append(finding)
            if !isJSON { StandardStream.output.write(styled: text(of: finding)) }
        }
        if isJSON {
            let json: JSON = ["checks": .array(findings.map(\.json))]
            StandardStream.output.write(json: json.document)
        }
        return findings.contains { $0.severity == .problem } ? .failure : .done
    }

    private func text(of finding: CheckResult) -> TerminalText {
        let color: TerminalStyle.Style =
            switch finding.severity {
            case .ok: .green
            case .note: .yellow
            case .problem: .red
            }
        let result = style(padded(finding.severity.rawValue, 7), color)
        let remedy = finding.remedy.map { "\(padded("", 22))\($0)\n" } ?? ""
        return "\(result)  \(padded(finding.name, 11))  \(finding.message)\n\(remedy)"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
