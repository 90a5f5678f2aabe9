internal import Platform

/// What shows that the mirror wrote the item at a path; a name, a place or a time alone shows nothing.
enum OwnershipProof {
    /// The item is a file with the contents that this part of a record states.
    case record(RecordedFile)
    /// The item is a file with these contents, such as a redirect page, which the caller made from a record.
    case contents([UInt8])
    /// The item is a file in `previous/` or `damaged/`, whose name has the hash of its contents.
    case hashInName
}

extension Store {
    /// Deletes the item at `path`, durably, if `proof` holds: the only function that deletes what belongs to a day.
    ///
    /// What views wrote is deleted by ``ViewFiles/remove(_:)`` alone.
    ///
    /// - Returns: Whether it was deleted; any other item is a user's, and stays.
    @discardableResult
    func remove(_ path: String, provedBy proof: OwnershipProof) throws(SystemError) -> Bool {
        // A user may have put another item there.
        // mutation test: ownership-proof
        guard try holds(proof, for: path) else { return false }
        try tree.root.removeDurably(path)
        return true
    }

    private func holds(_ proof: OwnershipProof, for path: String) throws(SystemError) -> Bool {
        do {
            switch proof {
            case .record(let file): return try tree.root.hasContents(of: file, at: path) == true
            case .contents(let bytes):
                return try tree.root.read(path, limit: bytes.count) == bytes
            case .hashInName:
                guard let sha256 = FileName.hash(inPrevious: Layout.split(path).name),
                    let status = try tree.root.status(path), status.kind == .file
                else { return false }
                let file = RecordedFile(path: path, bytes: status.size, sha256: sha256)
                return try tree.root.hasContents(of: file, at: path) == true
            }
        } catch {
            switch error.cause {
            // A file that this user may not read proves nothing, and stays for good.
            case .absent, .invalid, .denied: return false
            case .shortage, .transient: throw error
            }
        }
    }
}
