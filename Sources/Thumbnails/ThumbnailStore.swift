internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Where thumbnails lie: `thumbnails/2026/2026-11/2026-11-20.jpg`.
struct ThumbnailStore: Sendable {
    let store: Store

    /// So that a phone shows the pictures and not their thumbnails as well.
    private static let marker = ".nomedia"

    /// Less than this is no room for a thumbnail.
    private static let room = 1 << 20

    /// Makes the folder and what marks it.
    func prepare() throws(SystemError) {
        let top = try store.tree.root.makeDirectory(Layout.thumbnails)
        if try top.status(Self.marker) == nil {
            try store.publish([], in: top, as: Self.marker)
        }
    }

    /// Whether there is room for a thumbnail.
    func hasRoom() throws(SystemError) -> Bool { try store.room() >= Self.room }

    /// Throws `ENOSPC` where there is no room for the thumbnail of `day`.
    func checkRoom(for day: Day) throws(SystemError) {
        guard try hasRoom() else {
            throw SystemError("write", path: Layout.thumbnail(of: day), code: ENOSPC)
        }
    }

    /// Publishes the thumbnail of `day`.
    ///
    /// - Returns: Its path.
    func publish(_ bytes: [UInt8], of day: Day) throws(SystemError) -> String {
        try publish(bytes, of: day, at: Layout.thumbnail(of: day))
    }

    private func publish(
        _ bytes: [UInt8], of day: Day, at path: String
    ) throws(SystemError) -> String {
        let draft = try store.draft("\(day).thumbnail.part")
        try draft.write(bytes)
        try draft.file.setModified(day.noon, path: draft.path)
        let (folder, name) = Layout.split(path)
        try draft.publish(in: try store.tree.root.makeDirectory(folder), as: name)
        return path
    }

    /// Which picture the thumbnail of `day` was made of, `nil` where it is none of ours.
    func stamp(of day: Day) -> ThumbnailStamp? { stamp(at: Layout.thumbnail(of: day)) }

    private func stamp(at path: String) -> ThumbnailStamp? {
        let file = try? store.tree.root.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        guard let file else { return nil }
        return ThumbnailStamp(of: file)
    }

    // MARK: The newest day, larger

    /// Publishes the ``Rendition`` of `day`.
    func publishRendition(_ bytes: [UInt8], of day: Day) throws(SystemError) {
        _ = try publish(bytes, of: day, at: Rendition.path(of: day))
    }

    /// Which picture the ``Rendition`` of `day` was made of, `nil` where there is none of ours.
    func renditionStamp(of day: Day) -> ThumbnailStamp? { stamp(at: Rendition.path(of: day)) }

    /// Removes all renditions but that of `day`.
    ///
    /// - Returns: Whether there was one.
    func removeRenditions(but day: Day?) throws(SystemError) -> Bool {
        guard let folder = try store.tree.root.folder(Rendition.folder) else { return false }
        let others = try folder.textNames().filter { name in
            guard let found = FileName.day(of: name), found != day else { return false }
            return Layout.split(Rendition.path(of: found)).name == name
        }
        for name in others { try folder.remove(name) }
        return !others.isEmpty
    }

    /// The days of which a picture was replaced.
    func replaced() throws(SystemError) -> Set<Day> {
        guard let previous = try store.tree.root.folder(Layout.previous) else { return [] }
        let names = try previous.textNames().filter { !$0.hasSuffix(".json") }
        return Set(names.compactMap { FileName.day(of: $0) })
    }
}
