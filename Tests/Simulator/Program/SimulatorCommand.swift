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

    var options: [SimulatorOption] { self == .serve ? SimulatorOption.allCases : [] }

    var operands: ClosedRange<Int> {
        switch self {
        case .serve, .version: 0...0
        case .demo, .help: 0...1
        }
    }

    var words: [String] {
        switch self {
        case .demo: ["[DIR]"]
        case .help: ["[COMMAND]"]
        case .serve, .version: []
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

enum SimulatorOption: String, OptionProtocol {
    case port, days, seed, entries, pictures

    static let variablePrefix = "APOD_MIRROR_SIMULATOR_"

    var placeholder: String? {
        switch self {
        case .port, .days, .seed: "N"
        case .entries: "FILE"
        case .pictures: "DIR"
        }
    }

    var defaultValue: String? {
        switch self {
        case .port: "any free port"
        case .days: "60"
        case .seed: "1"
        case .entries, .pictures: nil
        }
    }

    var summary: String {
        switch self {
        case .port: "port of 127.0.0.1 to listen on"
        case .days: "number of days to publish"
        case .seed: "number that determines the generated entries and pictures"
        case .entries: "file of real entries to serve, one JSON object per line"
        case .pictures: "directory with the pictures of these entries"
        }
    }
}
