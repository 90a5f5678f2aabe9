import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Mirror
import Platform
import Service

/// `apod-mirror run --once --dry-run`: prints what `--keep` would remove, and changes nothing.
struct DryRun {
    private let keep: Keep
    private let store: Store

    init(_ arguments: Arguments) throws {
        guard try arguments.isOn(.once) else {
            throw CommandError.usage("--dry-run requires --once")
        }
        keep = try Settings(arguments).keep
        store = try Store.openForReading(arguments)
    }

    func run() throws -> ExitCode {
        let favorites = try protectedDays()
        let preview = try store.previewRetention(by: keep, favorites: favorites, at: Date())
        guard let preview else {
            // --keep counts back from NASA's newest day.
            throw CommandError(
                "the mirror in \(store.tree.root.path) has not reached NASA yet; run a sync first",
                .failure)
        }
        StandardStream.output.write(Self.text(preview))
        return .done
    }

    /// The favorites, if `--keep` removes days at all; a sync removes none, either, if the favorites cannot be read.
    private func protectedDays() throws -> Set<Day> {
        guard keep != .all else { return [] }
        do {
            return try FavoriteCommands(of: store).protectedDays()
        } catch {
            throw CommandError(
                "no day would be removed, because the days to keep cannot be read: \(error)",
                .failure)
        }
    }

    /// A line for each day that would be removed, such as `2026-08-02  3.1 MB  NAME.jpg`, then the totals.
    private static func text(_ preview: RetentionPreview) -> String {
        let removals = preview.removals
        var lines = removals.map {
            "\($0.day)  \(ByteCount($0.bytes))  \(Layout.split($0.path).name)"
        }
        let from = preview.plan.oldestKept.map { " from \($0)" } ?? ""
        var kept = "--keep \(preview.keep) keeps \(counted(preview.keptCount, "day"))\(from)"
        if preview.keep != .all {
            kept +=
                "; favorites, imported pictures and the newest day, which are never removed:"
                + " \(preview.protectedCount)"
        }
        lines.append(kept)
        if let excess = preview.plan.excess(over: preview.keep) { lines.append(excess) }
        if removals.isEmpty {
            lines.append("no day would be removed")
        } else {
            let total = "\(counted(removals.count, "day")), \(ByteCount(preview.bytes))"
            lines.append(
                "\(total), would be removed, at most \(preview.removalLimit) in one sync")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
