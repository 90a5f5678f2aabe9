internal import APOD
internal import Platform

/// Takes leftovers of earlier processes out of `incoming/`, when a process that writes the mirror starts.
///
/// Files are written into this directory under temporary names, before they get their final ones. A process that was killed
/// leaves its files there. A person may also have put something there, which must not get lost.
struct IncomingCleanup {
    /// The directory `.apod-mirror/`.
    private let internalFolder: Directory
    private let incoming: Directory

    /// What happens to an item in `incoming/`.
    private enum Fate {
        /// A later step needs the item.
        case keep
        /// The item is a temporary file.
        case delete
        /// The item may be a person's only copy, and is moved to `aside/`.
        case moveAside
    }

    /// Opens or makes `incoming/` in `internalFolder`, which is `.apod-mirror/`, and removes what no later step needs.
    ///
    /// An item that cannot be deleted or moved stays, and does not prevent the start.
    ///
    /// - Returns: `incoming/`, and the items that were moved to `aside/`.
    static func run(
        in internalFolder: Directory
    ) throws(SystemError) -> (incoming: Directory, moved: [MovedItem]) {
        var moved: [MovedItem] = []
        let folderName = Layout.split(Layout.incoming).name
        if let status = try internalFolder.status(folderName), status.kind != .directory {
            moved.append(
                try moveAside(
                    Array(folderName.utf8), from: internalFolder, at: Layout.own,
                    in: internalFolder))
        }
        let incoming = try internalFolder.makeDirectory(folderName)
        let cleanup = IncomingCleanup(internalFolder: internalFolder, incoming: incoming)
        // If the directory cannot be listed, everything stays.
        let names = (try? incoming.names()) ?? []
        return (incoming, moved + names.compactMap { try? cleanup.clear($0) })
    }

    /// Deletes the item `name`, or moves it and returns what is to be reported, unless a later step needs the item.
    private func clear(_ name: [UInt8]) throws(SystemError) -> MovedItem? {
        switch fate(of: name) {
        case .keep: return nil
        case .delete:
            do throws(SystemError) {
                try incoming.remove(name)
                return nil
            } catch {
                // A temporary file that cannot be deleted is moved, too.
            }
        case .moveAside: break
        }
        return try Self.moveAside(name, from: incoming, at: Layout.incoming, in: internalFolder)
    }

    private func fate(of name: [UInt8]) -> Fate {
        // This program gives no name that is not valid UTF-8.
        guard let text = String(validating: name, as: UTF8.self) else { return .moveAside }
        if UnfinishedDownloads.includes(text) || mayBelongToPublication(text) { return .keep }
        // Only this program gives a file such a name.
        // mutation test: foreign-incoming (see Tests/Mutants)
        if AtomicFile.isUniqueName(text) { return .delete }
        return .moveAside
    }

    /// Whether the item may be a file of an interrupted publication, which ``DayPublisher`` finishes.
    private func mayBelongToPublication(_ name: String) -> Bool {
        guard DayPublisher.isStagedName(name) else { return false }
        do throws(SystemError) {
            guard try incoming.status(name)?.kind == .file else { return false }
        } catch {
            // An item that cannot be examined may be such a file.
            return true
        }
        guard let day = FileName.day(of: name), name == Layout.recordName(of: day)
        else { return true }
        // A person may have stored an answer of NASA as `2026-11-20.json`.
        guard let bytes = try? incoming.read(name, limit: Layout.largestRecord) else { return true }
        return DayRecord(bytes, of: day) != nil
    }

    private static func moveAside(
        _ name: [UInt8], from folder: Directory, at path: String, in internalFolder: Directory
    ) throws(SystemError) -> MovedItem {
        let aside = try internalFolder.makeDirectory(Layout.split(Layout.aside).name)
        let newName = try folder.moveToFreeName(name, in: aside)
        return MovedItem(
            "\(path)/\(String(decoding: name, as: UTF8.self))", because: MovedItem.foreignReason,
            to: "\(Layout.aside)/\(String(decoding: newName, as: UTF8.self))")
    }
}
