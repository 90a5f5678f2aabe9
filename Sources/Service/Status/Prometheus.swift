internal import Platform

/// Builds text in the exposition format of Prometheus; all names begin with `apod_mirror_`.
struct Prometheus {
    enum Kind: String {
        case counter, gauge
    }

    typealias Sample = (value: Int, label: (name: String, value: String)?)

    /// A label of all samples.
    let origin: (name: String, value: String)
    private(set) var text = ""

    /// Adds a metric family, unless it has no samples.
    mutating func add(_ name: String, _ help: String, _ samples: [Sample], _ kind: Kind = .gauge) {
        guard !samples.isEmpty else { return }
        let name = "apod_mirror_\(name)"
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = [origin, sample.label].compactMap(\.self).map { label in
                let value = label.value.replacing("\\", by: "\\\\")
                    .replacing("\"", by: "\\\"").replacing("\n", by: "\\n")
                return "\(label.name)=\"\(value)\""
            }
            text += "\(name){\(labels.joined(separator: ","))} \(sample.value)\n"
        }
    }

    /// Adds a metric with one sample, unless the value is unknown.
    mutating func add(_ name: String, _ help: String, _ value: Int?, _ kind: Kind = .gauge) {
        add(name, help, value.map { [($0, nil)] } ?? [], kind)
    }
}
