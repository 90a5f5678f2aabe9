internal import APOD
internal import Platform

/// The start of a process that writes the mirror: it takes leftovers of earlier processes out of `incoming/`.
///
/// `self` is `.apod-mirror/` in ``emptyIncoming()``, and `incoming/` in ``mayBelongToPublication(_:)``.
extension Directory {
    /// Opens `incoming/` in this directory, `.apod-mirror/`, and removes what no later step needs.
    ///
    /// The files of an interrupted publication (``DayPublisher``) and the marks of ``UnfinishedDownloads`` stay. A temporary
    /// file, whose name only this program gives, is deleted. Anything else may be a person's only copy, and is moved to
    /// `aside/`. An item that cannot be deleted or moved stays, and does not prevent the start.
    ///
    /// - Returns: `incoming/`, and the names of the items in it that were moved to `aside/`.
    func emptyIncoming() throws(SystemError) -> (incoming: Directory, movedAside: [String]) {
        let name = Layout.split(Layout.incoming).name
        if let status = try status(name), status.kind != .directory {
            try moveAside(Array(name.utf8), from: self)
        }
        let incoming = try makeDirectory(name)
        var movedAside: [String] = []
        for name in (try? incoming.names()) ?? [] {
            // A name that is no text is none of this program's.
            let text = String(validating: name, as: UTF8.self) ?? ""
            if UnfinishedDownloads.includes(text) || incoming.mayBelongToPublication(text) {
                continue
            }
            // mutation test: foreign-incoming
            if AtomicFile.isUniqueName(text), (try? incoming.remove(name)) != nil { continue }
            guard (try? moveAside(name, from: incoming)) != nil else { continue }
            movedAside.append(String(decoding: name, as: UTF8.self))
        }
        return (incoming, movedAside)
    }

    /// Whether the item `name` in this directory, `incoming/`, may be a file of an interrupted publication.
    ///
    /// An item that cannot be examined may be one. A file `2026-11-20.json` that is no record of its day is none: a person
    /// may have stored an answer of NASA under this name.
    private func mayBelongToPublication(_ name: String) -> Bool {
        guard DayPublisher.isStaged(name) else { return false }
        do throws(SystemError) {
            guard try status(name)?.kind == .file else { return false }
        } catch {
            return true
        }
        guard let day = FileName.day(of: name), name == Layout.record(of: day),
            let bytes = try? read(name, limit: Layout.largestRecord)
        else { return true }
        return DayRecord(bytes, of: day) != nil
    }

    private func moveAside(_ name: [UInt8], from folder: Directory) throws(SystemError) {
        let aside = try makeDirectory(Layout.split(Layout.aside).name)
        try folder.moveToFreeName(name, in: aside)
    }
}
