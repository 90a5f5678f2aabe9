/// Builds text in the exposition format of Prometheus.
struct Prometheus {
    enum Kind: String {
        case counter, gauge
    }

    /// A value with its labels.
    struct Sample {
        let labels: [(name: String, value: String)]
        let value: Double

        init(_ value: Double, _ labels: (name: String, value: String)...) {
            self.value = value
            self.labels = labels
        }

        init(_ value: Int, _ labels: (name: String, value: String)...) {
            self.value = Double(value)
            self.labels = labels
        }
    }

    /// A label of all samples.
    private let origin: (name: String, value: String)
    private(set) var text = ""

    init(origin: (name: String, value: String)) {
        self.origin = origin
    }

    /// Adds a metric family, unless it has no samples.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text +=
                "\(name)\(Self.text(of: [origin] + sample.labels)) \(Self.text(of: sample.value))\n"
        }
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int?) {
        add(name, kind, help, value.map { [Sample($0)] } ?? [])
    }

    private static func text(of labels: [(name: String, value: String)]) -> String {
        let parts = labels.map { label in
            let value = label.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n")
            return "\(label.name)=\"\(value)\""
        }
        return "{\(parts.joined(separator: ","))}"
    }

    private static func text(of value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(value)
    }
}
