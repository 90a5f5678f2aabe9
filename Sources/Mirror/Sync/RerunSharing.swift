internal import APOD
internal import Glibc
internal import Platform

/// Lets new pictures share the blocks of earlier days' pictures with the same bytes: APOD shows pictures
/// again.
///
/// Only where the file system shares blocks, as btrfs and XFS do. A hard link is no substitute: two days
/// would have one modification time and one set of attributes, and a hard link in `favorites/` names its day
/// by the file.
final class RerunSharing: Sendable {
    /// The days of recorded pictures by size; `nil` until a picture could share its blocks.
    private let days = Monitor([Int: [Day]]?.none)

    func share(_ new: [Day], in store: Store) {
        guard !new.isEmpty, store.canShareBlocks else { return }
        // Records are read once in the life of a process.
        var all = days.withLock(\.self) ?? Self.days(in: store)
        for day in new.sorted() {
            guard let picture = (try? store.record(of: day))?.picture else { continue }
            let others = (all[picture.bytes] ?? []).filter { $0 != day }
            for other in others where store.shareBlocks(of: picture, with: other) { break }
            all[picture.bytes] = others + [day]
        }
        days.withLock { [all] in $0 = all }
    }

    private static func days(in store: Store) -> [Int: [Day]] {
        var days: [Int: [Day]] = [:]
        for day in (try? TreeIndex(of: store.tree).complete) ?? [] {
            guard let picture = (try? store.record(of: day))?.picture else { continue }
            days[picture.bytes, default: []].append(day)
        }
        return days
    }
}

extension Store {
    /// Whether the file system lets files share blocks, tried with two small ones.
    fileprivate var canShareBlocks: Bool {
        let bytes = [UInt8](repeating: 1, count: 64 << 10)
        guard let one = try? draft("probe"), let other = try? draft("probe"),
            (try? one.write(bytes)) != nil, (try? other.write(bytes)) != nil
        else { return false }
        return other.file.deduplicate(with: one.file, bytes: bytes.count)
    }

    /// Lets `picture` share the blocks of the same picture of `other`; returns whether it does.
    fileprivate func shareBlocks(of picture: PictureRecord, with other: Day) -> Bool {
        guard let earlier = (try? record(of: other))?.picture, earlier.sha256 == picture.sha256,
            earlier.path != picture.path, let new = try? tree.root.openFile(picture.path, O_RDONLY),
            let old = try? tree.root.openFile(earlier.path, O_RDONLY)
        else { return false }
        return new.deduplicate(with: old, bytes: picture.bytes)
    }
}
