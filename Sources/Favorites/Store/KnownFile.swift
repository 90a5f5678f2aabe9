internal import Platform

/// A picture in `favorites/` as the last scan found it: what recognizes it without reading it again.
package struct KnownFile: Hashable, Sendable {
    /// In bytes.
    package let size: Int
    /// Seconds since 1970.
    package let modified: Int
    package var kind = ReferenceKind.edited
    /// The inode and the exact times of the file; `nil` if it had just been changed.
    var stamp: String?
}

extension KnownFile {
    /// The kinds of files that are recognized by their bytes, which a scan had to read.
    static let kinds: Set<ReferenceKind> = [.copy, .named, .edited]

    init(_ item: ScannedItem, _ kind: ReferenceKind, now: Int) {
        self.init(
            size: item.size, modified: item.modified, kind: kind,
            stamp: item.isSettled(at: now) ? item.stamp : nil)
    }

    /// Whether a picture that the mirror does not have is this one, under any name.
    func isMoved(to item: ScannedItem) -> Bool {
        guard size == item.size, modified == item.modified else { return false }
        return kind != .copy || stamp?.hasPrefix("\(item.identity.inode) ") == true
    }
}

extension ScannedItem {
    /// What changes with each change of the file; the number of its device does not last.
    var stamp: String? {
        times.map { "\(identity.inode) \($0.modified.exactText) \($0.changed.exactText)" }
    }
}

extension Duration {
    fileprivate var exactText: String {
        "\(components.seconds).\(components.attoseconds / 1_000_000_000)"
    }
}
