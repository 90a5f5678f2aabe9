import CommandLine
import JSON
import Mirror
import Platform
import Service

/// `apod-mirror run --once --dry-run`: prints what `--keep` would remove, and changes nothing.
struct DryRun {
    private let keep: Keep
    private let reader: MirrorReader
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        guard try arguments.isOn(.once) else {
            throw CommandError.usage("--dry-run requires --once")
        }
        keep = try Settings(arguments).keep
        reader = try MirrorReader(arguments)
        isJSON = try arguments.isOn(.json)
    }

    func run() throws -> ExitCode {
        // What --keep keeps counts back from NASA's newest day.
        guard let preview = try reader.previewRetention(keep) else {
            throw CommandError(
                "the mirror in \(reader.tree.root.path) has not reached NASA yet; run a sync first",
                .failure)
        }
        if isJSON {
            StandardStream.output.write(json: Self.json(preview).document)
        } else {
            StandardStream.output.write(Self.text(preview))
        }
        return .done
    }

    /// The numbers are those of days of the whole mirror; one sync removes at most `limit` of the `remove` ones.
    private static func json(_ preview: RetentionPreview) -> JSON {
        [
            "keep": .string("\(preview.keep)"),
            "kept_from": preview.plan.oldestKept.map { .string("\($0)") } ?? .null,
            "kept": .integer(preview.kept),
            "protected": .integer(preview.protected),
            "protected_bytes": .integer(preview.plan.protectedBytes),
            "limit": .integer(preview.limit),
            "remove": .array(
                preview.removals.map { removal in
                    [
                        "date": .string("\(removal.day)"), "path": .string(removal.path),
                        "bytes": .integer(removal.bytes),
                    ]
                }),
            "remove_bytes": .integer(preview.bytes),
        ]
    }

    private static func text(_ preview: RetentionPreview) -> String {
        let removals = preview.removals
        let from = preview.plan.oldestKept.map { " from \($0)" } ?? ""
        var lines = removals.map {
            "\($0.day)  \(ByteCount($0.bytes))  \(Layout.split($0.path).name)"
        }
        lines.append(
            "--keep \(preview.keep) keeps \(counted(preview.kept, "day"))\(from);"
                + " favorites and the newest day, which are never removed: \(preview.protected)")
        if let excess = preview.plan.excess(over: preview.keep) { lines.append(excess) }
        let bytes = ByteCount(preview.bytes)
        lines.append(
            removals.isEmpty
                ? "no day would be removed"
                : "\(counted(removals.count, "day")), \(bytes), would be removed, at most \(preview.limit) in one sync"
        )
        return lines.joined(separator: "\n") + "\n"
    }
}
