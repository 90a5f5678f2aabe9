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
    /// The seconds for all trials; `nil` without a limit.
    let secondsOfShare: Int?
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
        secondsOfShare = plan.seconds == .max ? nil : max(1, plan.seconds / share)
        deadline = .now.advanced(by: .seconds(secondsOfShare ?? 1 << 30))
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
}
