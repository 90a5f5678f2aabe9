internal import APOD
internal import FoundationEssentials
internal import JSON
internal import Mirror
internal import Platform

extension StatusReport {
    /// The ``numbers`` as metrics for node_exporter's textfile collector, in the exposition format of Prometheus.
    package var metrics: String {
        // The label distinguishes several mirrors on one machine.
        let label = root.replacing("\\", by: "\\\\").replacing("\"", by: "\\\"")
            .replacing("\n", by: "\\n")
        return numbers.map { number in
            let name = "apod_mirror_\(number.name)"
            return "# HELP \(name) \(number.name) of status --json.\n# TYPE \(name) gauge\n"
                + "\(name){root=\"\(label)\"} \(number.value)\n"
        }.joined()
    }

    /// A number of the report with its name, such as `favorites_kept`.
    package typealias NamedNumber = (name: String, value: Int)

    /// All numbers of ``json``: lists by their lengths, dates and times in seconds since 1970, the kinds of obstacles as 0
    /// or 1; no unknown values, no texts.
    package var numbers: [NamedNumber] {
        Self.numbers(of: json, name: "")
            + Obstacle.Kind.allCases.map {
                ("obstacle_\($0.rawValue)", obstacle?.kind == $0 ? 1 : 0)
            }
    }

    private static func numbers(of json: JSON, name: String) -> [NamedNumber] {
        switch json {
        case .integer(let number): return [(name, number)]
        case .bool(let isTrue): return [(name, isTrue ? 1 : 0)]
        case .array(let elements): return [(name, elements.count)]
        case .object(let members):
            return members.flatMap { member in
                let path = name.isEmpty ? member.key : "\(name)_\(member.key)"
                return numbers(of: member.value, name: path)
            }
        case .string(let text):
            guard let date = Day(iso: text)?.startInUTC ?? Date(timestamp: text) else { return [] }
            return [("\(name)_timestamp_seconds", Int(date.timeIntervalSince1970))]
        case .null, .number: return []
        }
    }
}
