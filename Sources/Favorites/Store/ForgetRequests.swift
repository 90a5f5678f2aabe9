package import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
package import Platform

/// Requests of commands to the daemon to forget favorites: one file each, in a folder of its user, such as
/// `2026-11-20.forget`.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// Makes the folder of the requests if it is missing, no folder, or not writable.
    ///
    /// Anything else of its name is renamed, and its requests are written again.
    ///
    /// - Parameter mayReplaceFolder: Whether a folder may be replaced, which is done once at most: a new one could
    ///   have the same owner or mode.
    /// - Returns: `nil` if the folder needed no repair.
    /// - Throws: ``SystemError``.
    func repairRequestDirectory(
        mayReplaceFolder: inout Bool
    ) throws(SystemError) -> ReconcileEvent? {
        let own = try tree.root.makeDirectory(Layout.own)
        let name = Layout.split(Layout.requests).name
        guard let status = try own.status(name) else {
            _ = try own.makeDirectory(name)
            return nil
        }
        let isDirectory = status.kind == .directory
        if isDirectory, status.owner == geteuid(), let folder = try? own.folder(name),
            let mode = try? folder.permissions().mode, mode & 0o300 == 0o300
        {
            if mode & 0o022 != 0 { try folder.setMode(mode & 0o755) }
            return nil
        }
        var days: Set<Day> = []
        if isDirectory {
            guard mayReplaceFolder else { return nil }
            if status.owner != geteuid() {
                let shown = try ownerOfNewFolder(in: own)
                mayReplaceFolder = status.owner != shown
                guard mayReplaceFolder else { return nil }
            }
            days = (try? forgetRequests()) ?? []
        }
        try setAsideRequests(name, in: own)
        if isDirectory { mayReplaceFolder = false }
        _ = try own.makeDirectory(name)
        for day in days { try requestForget(day) }
        return .requestDirectoryReplaced(path: "\(own.path)/\(name)")
    }

    /// The owner that the file system shows for what this process makes: on some it is another one, as with
    /// `uid=` of vfat and CIFS.
    private func ownerOfNewFolder(in own: Directory) throws(SystemError) -> uid_t {
        let name = "requests.new"
        let owner = try own.makeDirectory(name).status().owner
        try own.removeFolder(name)
        return owner
    }

    private func setAsideRequests(_ name: String, in own: Directory) throws(SystemError) {
        for number in 1...1000 {
            let aside = number == 1 ? "\(name).old" : "\(name).old.\(number)"
            if try own.status(aside) != nil { continue }
            try own.rename(name, to: own, as: aside)
            return try own.synchronize()
        }
        throw SystemError("rename", path: "\(own.path)/\(name)", code: EEXIST)
    }

    /// The days that commands asked to forget; other files are ignored.
    package func forgetRequests() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Layout.requests) else { return [] }
        return Set(
            try folder.textNames().compactMap { name in
                guard let day = FileName.day(of: name), name == "\(day)\(Self.requestEnding)",
                    (try? folder.status(name))??.kind == .file
                else { return nil }
                return day
            })
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
        try folder.synchronize()
    }
}
