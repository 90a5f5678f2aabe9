internal import APOD
internal import Glibc
package import Platform

extension Directory {
    /// Opens `incoming/` in this directory, `.apod-mirror/`, and removes leftovers of earlier processes.
    ///
    /// Staged days stay, see ``DayPublisher``, and ``UnfinishedDownloads``. Only what has a name that this program gives is
    /// removed. Anything else, perhaps a person's only copy, is moved to `aside/`, or stays if that fails: it must not
    /// prevent the start.
    ///
    /// - Returns: The open directory, and the names of what was moved.
    func emptyIncoming() throws(SystemError) -> (folder: Directory, movedAside: [String]) {
        let name = Layout.split(Layout.incoming).name
        if let status = try status(name), status.kind != .directory {
            try moveAside(Array(name.utf8), from: self)
        }
        let incoming = try makeDirectory(name)
        var movedAside: [String] = []
        for name in (try? incoming.names()) ?? [] {
            let text = String(validating: name, as: UTF8.self) ?? ""
            if incoming.hasStaged(text) || UnfinishedDownloads.includes(text) { continue }
            // mutation test: foreign-incoming
            if AtomicFile.isUniqueName(text), (try? incoming.remove(name)) != nil { continue }
            guard (try? moveAside(name, from: incoming)) != nil else { continue }
            movedAside.append(String(decoding: name, as: UTF8.self))
        }
        return (incoming, movedAside)
    }

    /// Whether the file `name` in this directory, `incoming/`, is staged, as also one that cannot be examined may be.
    ///
    /// A record is, unless it can be read and is none of its day: a person may have NASA's old answer under that name.
    private func hasStaged(_ name: String) -> Bool {
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

    /// Removes a mark or a draft of ``UnfinishedDownloads`` from this directory, `incoming/`; what stays is removed later.
    func removeUnfinished(_ name: String) { try? remove(name) }

    private func moveAside(_ name: [UInt8], from folder: Directory) throws(SystemError) {
        let aside = try makeDirectory(Layout.split(Layout.aside).name)
        try folder.moveToFreeName(name, in: aside)
    }

    /// Moves `name` into `other`, durably, under the first free one of the names that `numbered` makes of it and the
    /// numbers from 1 on.
    ///
    /// What a damaged disk cannot write is moved nevertheless.
    package func moveToFreeName(
        _ name: [UInt8], in other: Directory,
        numbered: ([UInt8], Int) -> [UInt8] = {
            $1 == 1 ? $0 : $0.prefix(250) + Array(" \($1)".utf8)
        }
    ) throws(SystemError) {
        try? flush(name)
        for number in 1...1_000 {
            do {
                return try renameDurably(name, to: other, as: numbered(name, number))
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        let text = String(decoding: name, as: UTF8.self)
        throw SystemError("rename", path: "\(other.path)/\(text)", code: EEXIST)
    }
}
