package import APOD
internal import Glibc
internal import Mirror
package import Platform

/// What commands ask of whoever keeps the mirror: files in a folder that belongs to that user.
extension FavoriteStore {
    private static let requestEnding = ".forget"

    /// Makes the folder of the requests anew where it is missing, no folder, or not writable: what stood
    /// in its place is kept beside it, and what it asked for is asked for again.
    ///
    /// - Returns: What was done, a sentence; `nil` where all is well.
    func repairRequests() throws(SystemError) -> String? {
        let own = try tree.root.makeDirectory(Layout.own)
        let name = Layout.split(Self.requests).name
        var days: Set<Day> = []
        if let status = try own.status(name) {
            if status.kind == .directory, status.owner == geteuid(),
                let folder = try? own.folder(name), let mode = try? folder.permissions().mode,
                mode & 0o300 == 0o300
            {
                if mode & 0o022 != 0 { try folder.setMode(mode & 0o755) }
                return nil
            }
            if status.kind == .directory { days = (try? requests()) ?? [] }
            try setAsideRequests(name, in: own)
            _ = try own.makeDirectory(name)
            for day in days { try request(day) }
            return "\(own.path)/\(name) was not a folder of this mirror's user: it was renamed to"
                + " \(name).old and made again"
        }
        _ = try own.makeDirectory(name)
        return nil
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

    /// The days that somebody asked to be forgotten; whatever is no such file is left alone.
    package func requests() throws(SystemError) -> Set<Day> {
        guard let folder = try tree.root.folder(Self.requests) else { return [] }
        var days: Set<Day> = []
        for name in try folder.textNames() where name.hasSuffix(Self.requestEnding) {
            guard let day = FileName.day(of: name), name == "\(day)\(Self.requestEnding)",
                (try? folder.status(name))??.kind == .file
            else { continue }
            days.insert(day)
        }
        return days
    }

    /// Asks for `day` to be forgotten at the next look, in this process or another.
    package func request(_ day: Day) throws(SystemError) {
        let folder = try tree.root.makeDirectory(Self.requests)
        try AtomicFile.publish([], in: folder, as: "\(day)\(Self.requestEnding)", through: folder)
    }

    /// The requests for `days` are done.
    package func finish(_ days: Set<Day>) throws(SystemError) {
        guard !days.isEmpty, let folder = try tree.root.folder(Self.requests) else { return }
        for day in days { try folder.remove("\(day)\(Self.requestEnding)") }
        try folder.synchronize()
    }
}
