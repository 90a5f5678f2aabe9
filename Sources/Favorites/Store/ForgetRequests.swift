package import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
package import Platform

/// Requests of commands to the daemon to forget favorites: one file each, in a folder of its user, such as
/// `2026-11-20.forget`.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// Makes the folder of the requests if it is missing, no folder, or not one that this process can write to.
    ///
    /// Anything else of its name is renamed, and its requests are written again.
    ///
    /// - Returns: `nil` if the folder needed no repair.
    /// - Throws: ``SystemError``; `EACCES` if this process cannot write to a new folder either.
    func repairRequestDirectory() throws(SystemError) -> ReconcileEvent? {
        let own = try tree.root.makeDirectory(Layout.own)
        let name = Layout.split(Layout.requests).name
        guard let status = try own.status(name) else {
            _ = try own.makeDirectory(name)
            return nil
        }
        if status.kind == .directory, let folder = try? own.folder(name),
            (try? folder.checkWritable()) != nil, let mode = try? folder.permissions().mode
        {
            // Fails on a file system that has one owner and mode for all files, such as FAT.
            if mode & 0o022 != 0 { try? folder.setMode(mode & 0o755) }
            return nil
        }
        let days = status.kind == .directory ? (try? forgetRequests()) ?? [] : []
        try own.moveToFreeName(Array(name.utf8), in: own) { name, number in
            name + Array(number == 2 ? ".old".utf8 : ".old.\(number - 1)".utf8)
        }
        try own.synchronize()
        try own.makeDirectory(name).checkWritable()
        for day in days { try requestForget(day) }
        return .requestDirectoryReplaced(path: "\(own.path)/\(name)")
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

    /// The errors of requests of any kind that this process cannot read.
    func unreadableRequests() -> [SystemError] {
        guard let folder = try? tree.root.folder(Layout.requests),
            let names = try? folder.textNames()
        else { return [] }
        return names.filter { $0.hasSuffix(Self.requestEnding) || $0.hasSuffix(".repair") }
            .sorted().compactMap { name -> SystemError? in
                do throws(SystemError) {
                    _ = try folder.openFile(name, O_RDONLY)
                    return nil
                } catch {
                    // Another process may have removed it.
                    return error.code == ENOENT || error.isShortage ? nil : error
                }
            }
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
