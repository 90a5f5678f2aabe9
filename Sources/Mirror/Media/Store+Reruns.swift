internal import APOD
internal import Glibc
internal import Platform

/// Lets new pictures share the blocks of other days' pictures with the same bytes: APOD shows pictures again.
///
/// Only where the file system shares blocks, as btrfs and XFS do. A hard link is no substitute: two days
/// would have one modification time and one set of attributes, and a hard link in `favorites/` names its day
/// by the file.
extension Store {
    func shareReruns(_ new: [Day]) {
        guard !new.isEmpty, canShareBlocks else { return }
        guard let days = try? snapshots.current().daysBySize else { return }
        for day in new.sorted() {
            guard let picture = (try? record(of: day))?.picture else { continue }
            for other in days[picture.bytes] ?? []
            where other != day && shareBlocks(of: picture, with: other) { break }
        }
    }

    /// Whether the file system lets files share blocks, tried with two small ones.
    private var canShareBlocks: Bool {
        let bytes = [UInt8](repeating: 1, count: 64 << 10)
        guard let one = try? draft("probe"), let other = try? draft("probe"),
            (try? one.write(bytes)) != nil, (try? other.write(bytes)) != nil
        else { return false }
        return other.file.deduplicate(with: one.file, bytes: bytes.count)
    }

    /// Lets `picture` share the blocks of the same picture of `other`; returns whether it does.
    private func shareBlocks(of picture: PictureRecord, with other: Day) -> Bool {
        guard let earlier = (try? record(of: other))?.picture, earlier.sha256 == picture.sha256,
            earlier.path != picture.path, let new = try? tree.root.openFile(picture.path, O_RDONLY),
            let old = try? tree.root.openFile(earlier.path, O_RDONLY)
        else { return false }
        return new.deduplicate(with: old, bytes: picture.bytes)
    }
}
