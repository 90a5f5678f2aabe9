package import APOD
internal import Mirror
package import Platform

/// Requests of commands to the daemon to forget favorites: one file each, in a folder of its user, such as
/// `2026-11-20.forget`.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// The days that commands asked to forget in the mirror at `root`; other files, and those that cannot be examined, as by
    /// a user without the right, are ignored.
    package static func forgetRequests(in root: Directory) -> Set<Day> {
        guard let folder = try? root.folder(Layout.requests) else { return [] }
        let names = (try? folder.textNames()) ?? []
        return Set(names.compactMap { FileName.day(of: $0) }).filter { day in
            (try? folder.status("\(day)\(requestEnding)"))??.kind == .file
        }
    }

    /// Asks to forget `day` in the next scan of this or another process.
    package func requestForget(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Layout.requests)
        try AtomicFile.publish([], in: folder, as: "\(day)\(Self.requestEnding)", through: folder)
    }

    package func removeForgetRequests(_ days: Set<Day>) throws(SystemError) {
        guard !days.isEmpty, let folder = try tree.root.folder(Layout.requests) else { return }
        for day in days { try folder.remove("\(day)\(Self.requestEnding)") }
        try folder.flush()
    }
}
