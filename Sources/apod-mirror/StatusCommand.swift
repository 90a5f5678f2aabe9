import APOD
import FoundationEssentials
import Mirror
import Platform
import Service

/// `apod-mirror status`: what is here, what is not and why.
struct StatusCommand {
    private let report: StatusReport
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        let tree = try Tree.reading(
            try Settings.root(arguments),
            known: KnownMirrors(environment: arguments.processEnvironment))
        report = try StatusReport(of: tree)
        isJSON = try arguments.isOn(.json)
    }

    func run() -> ExitCode {
        Output.standard.write(
            isJSON ? String(decoding: json.document, as: UTF8.self) : text)
        if report.isStale { return .stale }
        // Before NASA was ever reached, nobody knows which days are missing: all of them.
        return report.missing.isEmpty && report.state.lastSuccess != nil ? .done : .missing
    }

    private var json: JSON {
        [
            "root": .string(report.root),
            "newest": report.newest.map { .string("\($0)") } ?? .null,
            "newest_age_seconds": report.newestAge.map(JSON.integer) ?? .null,
            "newest_published": report.state.newest.map { .string("\($0)") } ?? .null,
            "since": .string("\(report.state.since)"),
            "wanted": .integer(report.wanted),
            "complete": .integer(report.complete),
            "missing": .array(report.missing.map(Self.json)),
            "last_success": report.state.lastSuccess.map { .string($0.timestamp) } ?? .null,
            "last_error": report.state.lastError?.json ?? .null,
            "favorites": [
                "kept": .integer(report.favorites["kept"] ?? 0),
                "held": .integer(report.favorites["held"] ?? 0),
                "wanted": .integer(report.favorites["wanted"] ?? 0),
                "not_understood": .integer(report.notUnderstood),
            ],
            "bytes": .integer(report.bytes),
            "free_bytes": .integer(report.freeBytes),
            "running": report.running.map { .integer(Int($0)) } ?? .null,
        ]
    }

    private static func json(_ missing: StatusReport.Missing) -> JSON {
        [
            "date": .string("\(missing.day)"), "reason": .string(missing.reason),
            "attempts": .integer(missing.attempts),
            "next": missing.next.map { .string($0.timestamp) } ?? .null,
        ]
    }

    private var text: String {
        var lines = [
            "mirror      \(report.root)",
            "newest      \(newest)",
            "days        \(report.complete) of \(report.wanted) wanted (--since \(report.state.since))",
            "favorites   \(favorites)",
            "size        \(ByteCount(report.bytes)), \(ByteCount(report.freeBytes)) free",
            "running     \(report.running.map { "yes, process \($0)" } ?? "no")",
            "last look   \(report.state.lastSuccess?.timestamp ?? "never")",
        ]
        if let error = report.state.lastError {
            lines.append("last error  \(error.at.timestamp) \(error.message)")
        }
        for missing in report.missing.prefix(20) {
            let next = missing.next.map { ", next look \($0.timestamp)" } ?? ""
            lines.append("missing     \(missing.day) \(missing.reason)\(next)")
        }
        if report.missing.count > 20 {
            lines.append("            and \(report.missing.count - 20) more: --json has them all")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var favorites: String {
        let count = report.favorites.values.reduce(0, +)
        let held = report.favorites["held"].map { ", \($0) held (their links are gone)" } ?? ""
        let strange = report.notUnderstood
        return "\(count)\(held)\(strange > 0 ? ", \(strange) things not understood" : "")"
    }

    private var newest: String {
        guard let newest = report.newest, let age = report.newestAge else { return "none yet" }
        return
            "\(newest), \(age < 172_800 ? "\(max(age, 0) / 3600) hours" : "\(age / 86_400) days") old"
    }
}
