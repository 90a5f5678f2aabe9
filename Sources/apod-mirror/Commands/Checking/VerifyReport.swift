import APOD
import CommandLine
import JSON
import Maintenance
import Mirror
import Platform
import Service

/// The result of `verify`, and of a repair after it, as text for people and JSON for scripts.
struct VerifyReport: Sendable {
    /// The width of the column of kinds, such as `damaged`.
    private static let kindWidth = 11

    let root: String
    let isQuick: Bool
    let plannedDays: Int
    /// The bytes of their files; 0 if none are read.
    let plannedBytes: Int
    private(set) var daysDone = 0
    private(set) var bytesDone = 0
    var findings: [VerifyFinding] = []
    /// Whether all planned days were verified; a signal may have interrupted that.
    var isFinished = false
    /// What this process did to repair the damage.
    var repairs: [Repair] = []
    /// The damage that is left after the repair; `nil` if this process repaired nothing.
    var remaining: [VerifyState.Damage]?

    mutating func record(_ progress: VerifyProgress) {
        switch progress {
        case .read(let bytes): bytesDone = bytesDone.addingSaturating(bytes)
        case .day: daysDone += 1
        }
    }

    /// The paths of the repaired damage, once each, in the order in which it was found.
    private var repaired: [String] {
        guard let remaining else { return [] }
        var seen = Set(remaining.map(\.path))
        return findings.map(\.path).filter { seen.insert($0).inserted }
    }

    /// The repaired paths without a ``Repair`` of their own: a sync, for example, downloaded the file again.
    var repairedByOthers: [String] {
        let done = Set(repairs.filter(\.isDone).map(\.finding.path))
        return repaired.filter { !done.contains($0) }
    }

    var exitCode: ExitCode {
        (remaining?.count ?? findings.count) > 0 ? .damaged : .done
    }

    private func count(_ kind: VerifyFinding.Kind) -> Int { findings.count { $0.kind == kind } }

    // MARK: Text

    /// The line of progress, as ``ProgressLine`` makes it.
    func progressLine(elapsed: Duration, width: Int?) -> String {
        // Reading takes the time, unless sizes alone are compared.
        let line =
            plannedBytes > 0
            ? ProgressLine(finished: min(bytesDone, plannedBytes), planned: plannedBytes)
            : ProgressLine(finished: daysDone, planned: plannedDays)
        return line.text(
            amount: "\(daysDone) of \(counted(plannedDays, "day"))", bytes: bytesDone,
            elapsed: elapsed,
            problems: findings.isEmpty ? nil : "\(findings.count) damaged", width: width)
    }

    /// Prints the whole report as JSON, or what is left to say after the lines of findings and repairs.
    func write(isJSON: Bool, suggestsRepair: Bool) {
        if isJSON {
            StandardStream.output.write(json: json.document)
        } else {
            StandardStream.output.write("\(summary(suggestsRepair: suggestsRepair))\n")
        }
    }

    /// `damaged    pictures/…: 12 bytes instead of 20 bytes`.
    static func line(of finding: VerifyFinding, _ style: TerminalStyle) -> TerminalText {
        let kind = style(
            finding.kind.rawValue, .red, width: kindWidth)
        return "\(kind)\(finding.description.printableLine)\n"
    }

    /// `repaired   pictures/…: restored from …`, or `later` for what a sync, a scan or the user must do.
    static func line(of repair: Repair, _ style: TerminalStyle) -> TerminalText {
        let isDone = repair.isDone
        let word = style(
            isDone ? "repaired" : "later", isDone ? .green : .yellow, width: kindWidth)
        return "\(word)\(repair.description.printableLine)\n"
    }

    /// `repaired   pictures/…`.
    static func line(ofRepaired path: String, _ style: TerminalStyle) -> TerminalText {
        "\(style("repaired", .green, width: kindWidth))\(path.printableLine)\n"
    }

    private func summary(suggestsRepair: Bool) -> String {
        let verified =
            "\(counted(daysDone, "day")) verified"
            + (bytesDone > 0 ? ", \(ByteCount(bytesDone)) read" : "")
        let result = VerifyFinding.Kind.allCases.filter { count($0) > 0 }
            .map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
        let nothing = isFinished ? "nothing is damaged" : "nothing is damaged so far"
        var lines = ["\(verified): \(result.isEmpty ? nothing : result)"]
        // Interrupted before the end of the first day: nothing is known yet.
        if result.isEmpty, !isFinished, daysDone == 0 { lines = [verified] }
        if let remaining {
            let rest = remaining.isEmpty ? "" : ", \(remaining.count) not repaired"
            if !findings.isEmpty {
                lines.append("\(counted(repaired.count, "file")) repaired\(rest)")
            }
            lines += remaining.map { "not repaired: \($0.text.printableLine)" }
        } else if !findings.isEmpty, suggestsRepair {
            lines.append(
                "“apod-mirror verify --repair” repairs what is damaged or missing")
        }
        if !isFinished { lines.append("interrupted: not all days were verified") }
        return lines.joined(separator: "\n")
    }

    // MARK: JSON

    private var json: JSON {
        [
            "root": .string(root),
            "quick": .bool(isQuick),
            "complete": .bool(isFinished),
            "days": .integer(daysDone),
            "bytes": .integer(bytesDone),
            "counts": .object(
                VerifyFinding.Kind.allCases.map {
                    .init(key: $0.rawValue, value: .integer(count($0)))
                }),
            "findings": .array(findings.map(\.json)),
            "repairs": .array(
                repairs.map {
                    ["path": .string($0.finding.path), "action": .string($0.words)]
                }
                    + repairedByOthers.map { ["path": .string($0), "action": "repaired"] }),
            "remaining": remaining.map { .array($0.map(\.json)) } ?? .null,
        ]
    }
}

extension VerifyFinding {
    fileprivate var json: JSON {
        [
            "date": day.map { .string("\($0)") } ?? .null,
            "kind": .string(kind.rawValue),
            "path": .string(path),
            "expected": .string(expected),
            "found": .string(found),
        ]
    }
}
