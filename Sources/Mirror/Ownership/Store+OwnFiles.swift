internal import APOD
internal import Platform

/// What shows that the mirror wrote the item at a path; a name, a place or a time alone shows nothing.
enum OwnershipProof {
    /// The item is a file whose contents have the hash that this part of a record states.
    case record(RecordedFile)
    /// The item is a file with these contents, which the caller made from a record: those of a redirect page.
    case contents([UInt8])
    /// The item is a symbolic link to this target, and records name both: see ``OwnLink``.
    case link(target: String)
    /// The item is a file in `previous/` or `damaged/`, whose name has the hash of its contents.
    case hashInName
}

/// A link that ``Store/replaceByLink(_:to:of:)`` left under an earlier name of the picture of a day, to a later name.
struct OwnLink {
    /// Relative to the root.
    let path: String
    /// The name of a file, or of another such link, beside it.
    let target: String
    /// The paths of the records in `previous/` that name the link as the picture of the day: they prove that it is the
    /// mirror's.
    let recordPaths: [String]
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
        switch proof {
        case .record(let file):
            return try ifReadable(tree.root.hasContents(of: file, at: path)) == true
        case .contents(let bytes):
            return try ifReadable(tree.root.read(path, limit: bytes.count)) == bytes
        case .link(let target):
            return tree.root.target(of: path) == target
        case .hashInName:
            guard let sha256 = FileName.hash(inPrevious: Layout.split(path).name),
                let status = try ifReadable(tree.root.status(path)), status.kind == .file
            else { return false }
            let file = RecordedFile(path: path, bytes: status.size, sha256: sha256)
            return try holds(.record(file), for: path)
        }
    }

    /// The mirror's own links of `day`; `replacedPaths` has the paths of the earlier records of the day in `previous/`,
    /// and perhaps others.
    ///
    /// A link that looks like one of them, but whose name no record has, is a user's.
    func ownLinks(of day: Day, among replacedPaths: [String]) throws(SystemError) -> [OwnLink] {
        let earlierPictures = try earlierPictures(of: day, among: replacedPaths)
        let currentPictures = try tree.currentRecords(of: day).compactMap(\.picture?.path)
        let possibleTargets = Set(
            (earlierPictures.keys + currentPictures).map { Layout.split($0).name })
        return earlierPictures.sorted { $0.key < $1.key }.compactMap { path, recordPaths in
            guard let target = tree.root.target(of: path), possibleTargets.contains(target) else {
                return nil
            }
            return OwnLink(path: path, target: target, recordPaths: recordPaths)
        }
    }

    /// Whether the item at `path` is one of the ``ownLinks(of:among:)``.
    func isOwnLink(_ path: String, of day: Day) throws(SystemError) -> Bool {
        guard tree.root.target(of: path) != nil else { return false }
        return try ownLinks(of: day, among: previousPaths(of: day)).contains { $0.path == path }
    }

    /// The paths that the picture of `day` had by earlier records, each with the paths of these records.
    private func earlierPictures(
        of day: Day, among replacedPaths: [String]
    ) throws(SystemError) -> [String: [String]] {
        var recordPaths: [String: [String]] = [:]
        for path in replacedPaths
        where path.hasPrefix("\(Layout.previous)/") && path.hasSuffix(".json") {
            guard let picture = try previousRecord(at: path, of: day)?.picture,
                Layout.isPath(picture.path, inPicturesOf: day)
            else { continue }
            recordPaths[picture.path, default: []].append(path)
        }
        return recordPaths
    }

    /// The record at `path` in `previous/`; `nil` if it cannot be read, is another day's, or was changed: its contents
    /// do not have the hash in its name.
    private func previousRecord(at path: String, of day: Day) throws(SystemError) -> DayRecord? {
        guard let sha256 = FileName.hash(inPrevious: Layout.split(path).name),
            let bytes = try ifReadable(tree.root.read(path, limit: Layout.largestRecord)),
            SHA256.digits(FileName.sha256Length, of: bytes) == sha256
        else { return nil }
        return DayRecord(bytes, of: day)
    }
}

extension Tree {
    /// The record of `day`, and the one in `incoming/` that is to replace it, as far as they exist and can be read.
    func currentRecords(of day: Day) throws(SystemError) -> [DayRecord] {
        var records: [DayRecord] = []
        for path in [Layout.recordPath(of: day), "\(Layout.incoming)/\(Layout.record(of: day))"] {
            let bytes = try ifReadable(root.read(path, limit: Layout.largestRecord))
            if let record = bytes.flatMap({ DayRecord($0, of: day) }) { records.append(record) }
        }
        return records
    }
}
