package import APOD
internal import Mirror
package import Platform

/// Requests by which a command asks the daemon to forget a favorite, which means to remove it without the usual delay; a
/// request is an empty file such as `2026-11-20.forget`, in a folder to which only the user of the daemon may write.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// The days that commands asked to forget in the mirror at `root`; none if this user may not read the requests.
    package static func forgetRequests(in root: Directory) -> Set<Day> {
        guard let folder = try? root.folder(Layout.requests) else { return [] }
        let names = (try? folder.textNames()) ?? []
        return Set(names.compactMap { FileName.day(of: $0) }).filter { day in
            (try? folder.status("\(day)\(requestEnding)"))??.kind == .file
        }
    }

    /// Asks to forget `day`, which the next scan by any process does.
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
