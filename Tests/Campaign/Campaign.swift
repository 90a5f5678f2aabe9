import Glibc
import Platform
import TestSupport

/// Tests the guarantees of `docs/reliability.md` with faults: kills, errors, power cuts, hostile input.
///
/// `campaign PART... [--seconds N] [--trials N] [--seed N]` runs the parts, all with `all`, each for so many
/// seconds or trials, and prints a line for each.
@main enum Campaign {
    static var parts: [any Part.Type] {
        [
            KillPart.self, ErrorPart.self, DoubtPart.self, RandomKillPart.self, PowerPart.self,
            KillPowerPart.self,
            FullDiskPart.self,
            NetworkPart.self, ClockPart.self, LimitsPart.self, ForeignFilesPart.self,
            MountPart.self, FuzzPart.self,
        ]
    }

    static func main() {
        prepareProcess()
        let words = Array(CommandLine.arguments.dropFirst())
        runProcess {
            do {
                switch words.first {
                case Fuzzer.role: return await Fuzzer.run(Array(words.dropFirst()))
                default: return try await run(Plan(words)) ? 0 : 1
                }
            } catch {
                StandardStream.error.write("campaign: \(error)\n")
                return 2
            }
        }
    }

    /// - Returns: Whether there was no violation.
    private static func run(_ plan: Plan) async throws -> Bool {
        var violations: [String] = []
        for part in parts where plan.includes(part.name) {
            if let reason = part.obstacle {
                StandardStream.output.write("\(part.name): skipped, \(reason)\n")
                continue
            }
            let variants = part.variants.filter { plan.includes(part.name, $0) }
            for variant in variants {
                let name = variant.isEmpty ? part.name : "\(part.name) \(variant)"
                var trials = Trials(name, plan, share: variants.count)
                endHang(after: trials.secondsOfShare)
                try await part.run(variant, &trials)
                StandardStream.output.write(trials.line + "\n")
                violations += trials.violations
            }
        }
        // Again, because the lines of a failed check that are read are its last ones.
        for violation in violations { StandardStream.output.write(violation) }
        return violations.isEmpty
    }
}

/// Ends the campaign if a part still runs long after its seconds; without a limit of seconds it may run for days.
///
/// A program in the kernel, such as mount(8), may not even end when it is killed.
private func endHang(after seconds: Int?) {
    signal(SIGALRM) { _ in
        // A handler may use no memory of its own, see signal-safety(7).
        let line: StaticString = "campaign: the last part did not end in time\n"
        _ = unsafe write(STDERR_FILENO, line.utf8Start, line.utf8CodeUnitCount)
        _exit(3)
    }
    alarm(seconds.map { UInt32($0 + Int(Duration.hang / .seconds(1))) } ?? 0)
}

/// One way to break the mirror.
protocol Part: Sendable {
    static var name: String { get }
    /// The variants that are run and reported separately, such as each file system.
    static var variants: [String] { get }
    /// The reason why it cannot run here.
    static var obstacle: String? { get }
    static func run(_ variant: String, _ trials: inout Trials) async throws
}

extension Part {
    static var variants: [String] { [""] }
    static var obstacle: String? { nil }
}

/// The arguments of the command line.
struct Plan {
    private(set) var seconds = Int.max
    private(set) var trials = Int.max
    private(set) var seed = UInt64.random(in: 0...999_999)
    private var names: Set<String> = []

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                names.insert(word)
                continue
            }
            let value = rest.popFirst() ?? ""
            switch (word, UInt64(value)) {
            case ("--seconds", let number?): seconds = Int(number)
            case ("--trials", let number?): trials = Int(number)
            case ("--seed", let number?): seed = number
            default: throw UsageError(word: word)
            }
        }
        let known = Campaign.parts.flatMap { part in
            [part.name] + part.variants.map { "\(part.name)-\($0)" }
        }
        if let word = names.first(where: { $0 != "all" && !known.contains($0) }) {
            throw UsageError(word: word)
        }
        guard !names.isEmpty else { throw UsageError(word: "no part") }
    }

    /// Whether a part or one of its variants is selected: `power`, or `power-ext4` alone.
    func includes(_ part: String) -> Bool {
        names.contains("all") || names.contains { $0 == part || $0.hasPrefix("\(part)-") }
    }

    func includes(_ part: String, _ variant: String) -> Bool {
        names.contains("all") || names.contains(part) || names.contains("\(part)-\(variant)")
    }
}

struct UsageError: Error, CustomStringConvertible {
    let word: String

    var description: String {
        let parts = Campaign.parts.map { $0.name }.joined(separator: "|")
        return """
            unexpected “\(word)”
            usage: campaign all|\(parts)... [--seconds N] [--trials N] [--seed N]
            """
    }
}
