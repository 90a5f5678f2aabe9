package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// Requests of commands to the daemon to forget favorites: one file each, in a folder of its user, such as
/// `2026-11-20.forget`.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// Makes the folder of the requests if it is missing, and checks that requests can be removed.
    func checkRequests() throws(SystemError) {
        try tree.root.makeDirectory(Layout.requests).checkWritable()
    }

    /// The days that commands asked to forget; other files, and those that cannot be examined, are ignored.
    package func forgetRequests() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Layout.requests) else { return [] }
        var days: Set<Day> = []
        for name in try folder.textNames() {
            guard let day = FileName.day(of: name), name == "\(day)\(Self.requestEnding)",
                try ifReadable(folder.status(name))?.kind == .file
            else { continue }
            days.insert(day)
        }
        return days
    }

    /// Asks to forget `day` in the next scan of this or another process.
    package func requestForget(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Layout.requests)
        try AtomicFile.publish([], in: folder, as: "\(day)\(Self.requestEnding)", through: folder)
    }

    /// Whether the request for `day` was made less than a minute before or after `now`.
    func isNewRequest(_ day: Day, now: Date) -> Bool {
        let path = "\(Layout.requests)/\(day)\(Self.requestEnding)"
        guard let status = (try? tree.root.status(path)) ?? nil else { return false }
        return abs(now.timeIntervalSince1970 - Double(status.modified)) < 60
    }

    package func removeForgetRequests(_ days: Set<Day>) throws(SystemError) {
        guard !days.isEmpty, let folder = try tree.root.folder(Layout.requests) else { return }
        for day in days { try folder.remove("\(day)\(Self.requestEnding)") }
        try folder.flush()
    }
}
