import CommandLine

typealias SimulatorArguments = ParsedArguments<SimulatorCommand, Void>

enum SimulatorCommand: String, CommandProtocol {
    case serve, demo, help, version

    static let program = "apod-mirror-simulator"
    static let purpose = """
        apod-mirror-simulator simulates NASA's feeds and pictures on this machine, to try apod-mirror(1) \
        without the network.
        """
    static let notes = """
        “apod-mirror-simulator COMMAND --help” lists its options and examples. Each option is also an \
        environment variable, such as APOD_MIRROR_SIMULATOR_DAYS. Options override variables; a \
        misspelled variable is an error.
        """

    static let variablePrefix = "APOD_MIRROR_SIMULATOR_"

    var options: [Option] {
        self == .serve ? [.port, .days, .seed, .entries, .pictures] : []
    }

    var operands: OperandSyntax {
        switch self {
        case .demo: OperandSyntax("[DIR]")
        case .help: OperandSyntax("[COMMAND]")
        case .serve, .version: .none
        }
    }

    /// Whether it ends in order on SIGTERM, SIGINT and SIGHUP.
    var handlesSignals: Bool { [.serve, .demo].contains(self) }

    var summary: String {
        switch self {
        case .serve: "serve a simulated NASA on this machine until it is stopped"
        case .demo:
            "run apod-mirror against a simulated NASA for a few seconds, in DIR or a new directory"
        case .help: "print this help, or the help of a command"
        case .version: "print the version"
        }
    }

    var examples: [(command: String, effect: String)] {
        switch self {
        case .serve:
            [("apod-mirror-simulator serve --port 8099 --days 30", "serve until Ctrl+C")]
        case .demo:
            [("apod-mirror-simulator demo /tmp/APOD", "create a mirror in /tmp/APOD")]
        case .help:
            [("apod-mirror-simulator help serve", "same as apod-mirror-simulator serve --help")]
        case .version: []
        }
    }

    var exitCodes: [ExitCode] {
        switch self {
        case .serve: [.done, .failure, .usage, .hungUp, .interrupted]
        case .demo: [.done, .failure, .usage, .hungUp, .interrupted, .terminated]
        case .help, .version: [.done, .usage]
        }
    }

    func meaning(of code: ExitCode) -> String {
        switch (self, code) {
        case (.serve, .done): "ended by SIGTERM"
        case (.demo, .done): "all steps succeeded"
        case (.demo, .failure): "a step failed"
        default: code.meaning
        }
    }
}

extension Option {
    static let port = Option(
        "port", value: "N", default: "any free port", summary: "port of 127.0.0.1 to listen on",
        scope: .setting)
    static let days = Option(
        "days", value: "N", default: "60", summary: "number of days to publish", scope: .setting)
    static let seed = Option(
        "seed", value: "N", default: "1",
        summary: "number that determines the generated entries and pictures", scope: .setting)
    static let entries = Option(
        "entries", value: "FILE",
        summary: "file of real entries to serve, one JSON object per line",
        scope: .setting)
    static let pictures = Option(
        "pictures", value: "DIR", summary: "directory with the pictures of these entries",
        scope: .setting)
}
