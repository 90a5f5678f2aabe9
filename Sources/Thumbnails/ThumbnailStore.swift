internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Reads and writes `thumbnails/2026/2026-11/2026-11-20.jpg`.
struct ThumbnailStore: Sendable {
    let store: Store

    /// Hides the thumbnails from photo apps on phones.
    private static let marker = ".nomedia"

    /// The free space needed for a thumbnail, in bytes.
    private static let minimumSpace = 1 << 20

    /// Creates the directory and its `.nomedia`.
    func prepare() throws(SystemError) {
        let top = try store.tree.root.makeDirectory(Layout.thumbnails)
        if try top.status(Self.marker) == nil {
            try store.publish([], in: top, as: Self.marker)
        }
    }

    /// Whether there is free space for a thumbnail.
    func hasSpace() throws(SystemError) -> Bool { try store.availableBytes() >= Self.minimumSpace }

    /// Throws `ENOSPC` if there is no free space for the thumbnail of `day`.
    func checkSpace(for day: Day) throws(SystemError) {
        guard try hasSpace() else {
            throw SystemError("write", path: Layout.thumbnail(of: day), code: ENOSPC)
        }
    }

    /// Removes all renditions except those of `days`.
    ///
    /// - Returns: Whether a file was removed.
    func removeRenditions(but days: Set<Day>) throws(SystemError) -> Bool {
        guard let folder = try store.tree.root.folder(Rendition.folder) else { return false }
        let others = try folder.textNames().filter { name in
            guard let found = FileName.day(of: name), !days.contains(found) else { return false }
            return Layout.split(Rendition.path(of: found)).name == name
        }
        for name in others { try folder.remove(name) }
        return !others.isEmpty
    }

    /// The days with replaced pictures.
    func replaced() throws(SystemError) -> Set<Day> {
        guard let previous = try store.tree.root.folder(Layout.previous) else { return [] }
        let names = try previous.textNames().filter { !$0.hasSuffix(".json") }
        return Set(names.compactMap { FileName.day(of: $0) })
    }
}
