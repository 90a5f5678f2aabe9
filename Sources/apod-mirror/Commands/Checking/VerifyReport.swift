import APOD
import CommandLine
import JSON
import Maintenance
import Mirror
import Platform
import Service

/// The result of `verify`, and of a repair after it, as text for people and JSON for scripts.
struct VerifyReport: Sendable {
    private static let kindWidth = 11

    let root: String
    let isQuick: Bool
    let plannedDays: Int
    /// The bytes of the files of ``plannedDays``; 0 with `--quick`, which reads none.
    let plannedBytes: Int
    private(set) var daysDone = 0
    private(set) var bytesDone = 0
    var findings: [VerifyFinding] = []
    /// The damage that is left after the repair; `nil` without `--repair`.
    var remaining: [VerifyState.Damage]?

    mutating func record(_ progress: VerifyProgress) {
        switch progress {
        case .read(let bytes): bytesDone = bytesDone.addingSaturating(bytes)
        case .day: daysDone += 1
        }
    }

    var exitCode: ExitCode {
        (remaining?.count ?? findings.count) > 0 ? .damaged : .done
    }

    private func count(_ kind: VerifyFinding.Kind) -> Int { findings.count { $0.kind == kind } }

    // MARK: Text

    /// The line of progress, as ``ProgressLine`` makes it.
    func progressLine(elapsed: Duration, width: Int?) -> String {
        // Reading takes most of the time, so that bytes say more than days.
        let line =
            plannedBytes > 0
            ? ProgressLine(finished: min(bytesDone, plannedBytes), planned: plannedBytes)
            : ProgressLine(finished: daysDone, planned: plannedDays)
        return line.text(
            amount: "\(daysDone) of \(counted(plannedDays, "day"))", bytes: bytesDone,
            elapsed: elapsed,
            problems: findings.isEmpty ? nil : "\(findings.count) damaged", width: width)
    }

    /// Prints the report as JSON, or as text its totals, because the findings were printed one by one.
    func write(isJSON: Bool, suggestsRepair: Bool) {
        if isJSON {
            StandardStream.output.write(json: json.document)
        } else {
            StandardStream.output.write("\(summary(suggestsRepair: suggestsRepair))\n")
        }
    }

    /// `damaged    pictures/…: 12 bytes instead of 20 bytes`.
    static func line(of finding: VerifyFinding, _ style: TerminalStyle) -> TerminalText {
        let kind = style(finding.kind.rawValue, .red, width: kindWidth)
        return "\(kind)\(finding.description.printableLine)\n"
    }

    private func summary(suggestsRepair: Bool) -> String {
        let verified =
            "\(counted(daysDone, "day")) verified"
            + (bytesDone > 0 ? ", \(ByteCount(bytesDone)) read" : "")
        let counts = VerifyFinding.Kind.allCases.filter { count($0) > 0 }
            .map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
        var lines = ["\(verified): \(counts.isEmpty ? "nothing is damaged" : counts)"]
        if let remaining {
            let repaired = Set(findings.map(\.path)).subtracting(remaining.map(\.path))
            if !findings.isEmpty { lines.append("\(counted(repaired.count, "file")) repaired") }
            lines += remaining.map { "not repaired: \($0.text.printableLine)" }
        } else if count(.damaged) + count(.missing) > 0, suggestsRepair {
            lines.append(
                "“apod-mirror verify --repair” repairs what is damaged or missing")
        }
        if count(.unreadable) > 0 {
            lines.append(
                "what is unreadable may be whole: check the disk and the permissions, then verify again"
            )
        }
        return lines.joined(separator: "\n")
    }

    // MARK: JSON

    private var json: JSON {
        [
            "root": .string(root),
            "quick": .bool(isQuick),
            "days": .integer(daysDone),
            "bytes": .integer(bytesDone),
            "counts": .object(
                VerifyFinding.Kind.allCases.map {
                    .init(key: $0.rawValue, value: .integer(count($0)))
                }),
            "findings": .array(findings.map(\.json)),
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
