import APOD
import CommandLine
import Favorites
import FoundationEssentials
import Mirror
import Platform
import Service

/// `apod-mirror run --once --dry-run`: prints which days `--keep` would remove, and changes nothing.
///
/// Nothing else of a sync is simulated, and NASA is not asked.
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
        StandardStream.output.write(preview.text)
        return .done
    }

    /// The favorites after the scan with which a sync begins, if `--keep` removes days at all.
    ///
    /// - Throws: ``CommandError`` if the favorites cannot be read, because a sync removes no day then.
    private func protectedDays() throws -> Set<Day> {
        guard keep != .all else { return [] }
        do {
            return try FavoriteCommands(of: store).protectedDays(afterNextScan: true)
        } catch {
            throw CommandError(
                "no day would be removed, because the days to keep cannot be read: \(error)",
                .failure)
        }
    }
}

extension RetentionPreview {
    /// A line for each day that would be removed, such as `2026-08-02  3.1 MB  NAME.jpg`, then the totals.
    fileprivate var text: String {
        let removalLines = removals.map {
            "\($0.day)  \(ByteCount($0.bytes))  \(Layout.split($0.path).name)"
        }
        let excessLines = [plan.excess(over: keep)].compactMap(\.self)
        let lines = removalLines + [keptLine] + excessLines + [removalTotal]
        return lines.joined(separator: "\n") + "\n"
    }

    private var keptLine: String {
        let from = plan.oldestKept.map { " from \($0)" } ?? ""
        let kept = "--keep \(keep) keeps \(counted(keptCount, "day"))\(from)"
        guard keep != .all else { return kept }
        return kept
            + "; favorites, imported pictures and the newest day, which are never removed:"
            + " \(plan.protectedCount)"
    }

    private var removalTotal: String {
        if removals.isEmpty { return "no day would be removed" }
        let total = "\(counted(removals.count, "day")), \(ByteCount(bytes))"
        let limit = "\(total), would be removed, at most \(maximumPerDay) in 24 hours"
        guard maximumNow < min(maximumPerDay, removals.count) else { return limit }
        let removable = maximumNow > 0 ? "at most \(maximumNow) of them" : "none"
        return
            "\(limit); a sync now removes \(removable), because others were removed less than a day ago"
    }
}
