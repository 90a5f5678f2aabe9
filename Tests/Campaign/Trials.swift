import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import TestSupport

/// The trials of one part: their end, their number and their violations.
struct Trials {
    let name: String
    let seed: UInt64
    var random: SplitMix
    private(set) var count = 0
    /// What the trials with violations printed.
    private(set) var violations: [String] = []
    /// Additional counters of the part, summed over all runs.
    private(set) var figures: [String: Int] = [:]
    private let limit: Int
    private let deadline: ContinuousClock.Instant
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - name: The name of the part.
    ///   - plan: The arguments of the command line.
    ///   - share: The number of parts that share the seconds and trials.
    init(_ name: String, _ plan: Plan, share: Int) {
        self.name = name
        seed = plan.seed
        random = SplitMix(state: plan.seed)
        limit = plan.trials == .max ? .max : max(1, plan.trials / share)
        deadline =
            plan.seconds == .max
            ? .now.advanced(by: .seconds(1 << 30))
            : .now.advanced(by: .seconds(max(1, plan.seconds / share)))
    }

    /// Whether time and trials remain; the first trial always runs.
    var hasTime: Bool { count == 0 || (count < limit && .now < deadline) }

    /// The number of remaining trials.
    var left: Int { max(0, limit - count) }

    /// Seconds until the end, at least one.
    var secondsLeft: Int { max(1, Int(ContinuousClock.now.duration(to: deadline) / .seconds(1))) }

    /// Counts a trial, and prints its violations with all parameters to repeat it.
    mutating func record(_ found: [String], in trial: @autoclosure () -> String, count: Int = 1) {
        self.count += count
        guard !found.isEmpty else { return }
        let lines = found.prefix(8).map { "\n    \($0)" }.joined()
        let violation = "VIOLATION: \(name), seed \(seed), \(trial()):\(lines)\n"
        StandardStream.output.write(violation)
        violations.append(violation)
    }

    mutating func add(_ number: Int, to figure: String) { figures[figure, default: 0] += number }

    private var seconds: Int { Int(start.duration(to: .now) / .seconds(1)) }

    private var extras: String {
        figures.sorted { $0.key < $1.key }.map { "; \($0.key): \($0.value)" }.joined()
    }

    var line: String {
        "\(name): \(count) trials, \(violations.count) violations, seed \(seed), \(seconds) s\(extras)"
    }

    /// Appends a line of JSON to `file`.
    func append(to file: String) throws {
        let json: JSON = [
            "part": .string(name), "date": .string(Date().timestamp), "seed": .string("\(seed)"),
            "trials": .integer(count), "violations": .integer(violations.count),
            "seconds": .integer(seconds),
            "figures": .object(
                figures.map { JSON.Member(key: $0.key, value: .integer($0.value)) }),
        ]
        let results = try FileDescriptor(opening: file, O_WRONLY | O_CREAT | O_APPEND)
        try results.write(Array("\(json.line)\n".utf8), path: file)
    }
}

/// The sums of the lines of a results file.
struct Results {
    fileprivate struct Row {
        var days: Set<String> = []
        var seeds: [String] = []
        var trials = 0
        var violations = 0
        var seconds = 0
        var figures: [String: Int] = [:]
    }

    fileprivate var rows: [String: Row] = [:]
    private var order: [String] = []

    init(of file: String) throws {
        let bytes = try FileDescriptor(opening: file, O_RDONLY).readToEnd(
            limit: 1 << 26, path: file)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let json = try JSON(parsing: Array(line))
            guard let part = json["part"]?.string else { continue }
            if rows[part] == nil { order.append(part) }
            rows[part, default: Row()].add(json)
        }
    }

    var table: String {
        let head =
            "| part | trials | violations | also | seeds | hours | date |\n"
            + "|---|---|---|---|---|---|---|\n"
        return head
            + order.compactMap { part in rows[part].map { "| \(part) \($0.cells)\n" } }.joined()
    }
}

extension Results.Row {
    fileprivate mutating func add(_ json: JSON) {
        days.insert(String(json["date"]?.string?.prefix(10) ?? ""))
        seeds.append(json["seed"]?.string ?? "")
        trials += json["trials"]?.integer ?? 0
        violations += json["violations"]?.integer ?? 0
        seconds += json["seconds"]?.integer ?? 0
        if case .object(let members)? = json["figures"] {
            for member in members { figures[member.key, default: 0] += member.value.integer ?? 0 }
        }
    }

    fileprivate var cells: String {
        let also = figures.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.grouped)" }
        let seeds =
            seeds.count > 3
            ? "\(seeds[0]) and \(seeds.count - 1) more" : seeds.joined(separator: ", ")
        let hours = "\(seconds / 3600).\(seconds % 3600 / 360)"
        return
            "| \(trials.grouped) | \(violations) | \(also.joined(separator: ", ")) | \(seeds) | \(hours)"
            + " | \(days.sorted().joined(separator: ", ")) |"
    }
}

extension Int {
    /// Formatted with a comma after each three digits.
    var grouped: String {
        let digits = "\(magnitude)"
        let text = digits.enumerated().map { index, digit in
            index > 0 && (digits.count - index) % 3 == 0 ? ",\(digit)" : "\(digit)"
        }
        return (self < 0 ? "-" : "") + text.joined()
    }
}
