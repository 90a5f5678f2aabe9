import APOD
import CommandLine
import JSON
import Maintenance
import Mirror
import Platform
import Service

/// The result of `verify`, and of a repair after it, as text for people and JSON for scripts.
struct VerifyReport: Sendable {
    /// The columns of the kind of a finding, such as “damaged”, before its path.
    private static let kindWidth = 11

    /// The path of the mirror.
    let root: String
    let isQuick: Bool
    /// The number of days that are to be verified.
    let plannedDays: Int
    /// The bytes of the files of these days; 0 with `--quick`, which reads none.
    let plannedBytes: Int
    private(set) var daysDone = 0
    private(set) var bytesDone = 0
    /// The number of days that the mirror should have, and of which nothing is here; 0 if only some days are verified.
    var absentDays = 0
    /// The files that are damaged, missing or cannot be read.
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
        if (remaining?.count ?? findings.count) > 0 { return .damaged }
        return absentDays > 0 ? .missing : .done
    }

    private func count(of kind: VerifyFinding.Kind) -> Int { findings.count { $0.kind == kind } }

    /// The line of progress, as ``ProgressLine`` makes it.
    func progressLine(elapsed: Duration, width: Int?) -> String {
        // Reading takes most of the time: bytes show the progress better than days.
        let progress =
            plannedBytes > 0
            ? ProgressLine(finished: min(bytesDone, plannedBytes), planned: plannedBytes)
            : ProgressLine(finished: daysDone, planned: plannedDays)
        return progress.text(
            amount: "\(daysDone) of \(counted(plannedDays, "day"))", bytes: bytesDone,
            elapsed: elapsed, problems: problems, width: width)
    }

    /// Prints the whole report as JSON, or its totals as text: the text of each finding was printed when it was found.
    func write(isJSON: Bool, suggestsRepair: Bool) {
        if isJSON {
            StandardStream.output.write(json: json.document)
        } else {
            StandardStream.output.write("\(text(suggestsRepair: suggestsRepair))\n")
        }
    }

    /// The line of one finding: `damaged    pictures/…: 12 bytes instead of 20 bytes`.
    static func line(of finding: VerifyFinding, _ style: TerminalStyle) -> TerminalText {
        let kind = style(finding.kind.rawValue, .red, width: kindWidth)
        return "\(kind)\(finding.description.printableLine)\n"
    }

    /// The lines of the totals, then of the repair, and then what a person must do.
    private func text(suggestsRepair: Bool) -> String {
        var lines = [totals]
        if absentDays > 0 {
            lines.append(
                "nothing is here of \(counted(absentDays, "day")) that --since asks for; “apod-mirror status --missing” lists"
                    + " them")
        }
        if let remaining {
            let repaired = Set(findings.map(\.path)).subtracting(remaining.map(\.path))
            if !findings.isEmpty { lines.append("\(counted(repaired.count, "file")) repaired") }
            lines += remaining.map { "not repaired: \($0.text.printableLine)" }
        } else if suggestsRepair, findings.contains(where: isRepairable) {
            lines.append("“apod-mirror verify --repair” repairs what is damaged or missing")
        }
        lines += replacedFolders.map { path in
            "\(path.printableLine): move the link or file away, or put the directory itself in its place, then verify"
                + " again"
        }
        if count(of: .unreadable) > 0 {
            lines.append(
                "what is unreadable may be whole: check the disk and the permissions, then verify again"
            )
        }
        return lines.joined(separator: "\n")
    }

    /// Such as `24 days verified, 70 MB read: 1 damaged, 2 missing`.
    private var totals: String {
        let read = bytesDone > 0 ? ", \(ByteCount(bytesDone)) read" : ""
        return "\(counted(daysDone, "day")) verified\(read): \(problems ?? "nothing is damaged")"
    }

    /// Such as `1 damaged, 2 missing`; `nil` if there are no findings.
    private var problems: String? {
        let kinds = VerifyFinding.Kind.allCases.filter { count(of: $0) > 0 }
        guard !kinds.isEmpty else { return nil }
        return kinds.map { "\(count(of: $0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// The paths of directories that have a link or a file in their place, below which nothing is written.
    private var replacedFolders: [String] {
        findings.filter { $0.item == .folder && $0.kind == .damaged }.map(\.path)
    }

    private func isRepairable(_ finding: VerifyFinding) -> Bool {
        finding.kind != .unreadable
            && !replacedFolders.contains { finding.path.isPath(in: $0) }
    }

    private var json: JSON {
        [
            "root": .string(root),
            "quick": .bool(isQuick),
            "days": .integer(daysDone),
            "bytes": .integer(bytesDone),
            "counts": .object(
                VerifyFinding.Kind.allCases.map {
                    .init(key: $0.rawValue, value: .integer(count(of: $0)))
                }),
            "findings": .array(findings.map(\.json)),
            "absent": .integer(absentDays),
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
