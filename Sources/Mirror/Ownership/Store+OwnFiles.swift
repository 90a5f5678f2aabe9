internal import APOD
internal import Platform

/// What shows that the mirror wrote the item at a path; a name, a place or a time alone shows nothing.
enum OwnershipProof {
    /// The item is a file with the contents that this part of a record states.
    case record(RecordedFile)
    /// The item is a file with these contents, such as a redirect page, which the caller made from a record.
    case contents([UInt8])
    /// The item is a file in `previous/` or `damaged/`, whose name has the hash of its contents.
    case hashInName
    /// The item is at an earlier path of the picture of this day: see ``Store/isEarlierName(_:of:)``.
    case earlierName(of: Day)
}

/// The functions that delete published files of the mirror.
extension Store {
    /// Deletes the file of `view` at `path`, because its picture is replaced or removed; a person's file stays.
    ///
    /// After an error, the file stays, and the view replaces it later.
    func deleteViewFile(_ path: String, of view: ViewName) {
        _ = try? ViewFiles(of: view, in: self).remove([path])
    }

    /// Deletes the item at `path`, durably, if `proof` holds; any other item belongs to a person, and stays.
    ///
    /// All published files of a day are deleted here, and all files of views by ``ViewFiles/remove(_:)``.
    ///
    /// - Returns: Whether the item was deleted.
    @discardableResult
    func remove(_ path: String, provedBy proof: OwnershipProof) throws(SystemError) -> Bool {
        // A person may have put another item there.
        // mutation test: ownership-proof (see Tests/Mutants)
        guard try holds(proof, for: path) else { return false }
        try tree.root.removeDurably(path)
        return true
    }

    /// Whether the item at `path` is the one that `proof` describes; `false` if there is no item.
    private func holds(_ proof: OwnershipProof, for path: String) throws(SystemError) -> Bool {
        do {
            switch proof {
            case .record(let file): return try tree.root.hasContents(of: file, at: path)
            case .contents(let bytes):
                return try tree.root.read(path, limit: bytes.count) == bytes
            case .hashInName:
                guard let sha256 = FileName.hash(inArchived: Layout.split(path).name),
                    let status = try tree.root.status(path), status.kind == .file
                else { return false }
                let file = RecordedFile(path: path, bytes: status.size, sha256: sha256)
                return try tree.root.hasContents(of: file, at: path)
            case .earlierName(let day): return try isEarlierName(path, of: day)
            }
        } catch {
            switch (error.cause, proof) {
            case (.absent, _), (.invalid, _): return false
            // A page or an earlier version that this user may not read stays for good.
            case (.denied, .contents), (.denied, .hashInName), (.denied, .earlierName): return false
            // The caller has just read the file, so that the error may pass, and the next attempt deletes the file.
            case (.denied, .record), (.shortage, _), (.transient, _): throw error
            }
        }
    }
}
