internal import APOD
internal import Platform

/// What shows that the mirror wrote the item at a path; a name, a place or a time alone shows nothing.
enum OwnershipProof {
    /// A record has the hash of its contents.
    case record(RecordedFile)
    /// A record describes these contents, those of a redirect page.
    case contents([UInt8])
    /// Records name this link and its target: see ``OwnLink``.
    case link(target: String)
    /// Its name in `previous/` or `damaged/` has the hash of its contents.
    case hashInName
}

/// A link that ``Store/replaceByLink(_:to:of:)`` left under an earlier name of the picture of a day, to a later name.
struct OwnLink {
    /// Relative to the root.
    let path: String
    /// The name of a file, or of another such link, beside it.
    let target: String
    /// The records in `previous/` that name the link as the picture of the day, by which it is the mirror's.
    let proofs: [String]
}

extension Store {
    /// Deletes the item at `path`, durably, if `proof` holds: the only function that deletes what belongs to a day.
    ///
    /// What views wrote is deleted by ``ViewFiles/remove(_:)`` alone.
    ///
    /// - Returns: Whether it was deleted; any other item is a user's, and stays.
    @discardableResult
    func remove(_ path: String, provedBy proof: OwnershipProof) throws(SystemError) -> Bool {
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

    /// The mirror's own links of `day`; `replaced` has the paths of the earlier records of the day in `previous/`, and
    /// perhaps others.
    ///
    /// A link that looks like one of them, but whose name no record has, is a user's.
    func ownLinks(of day: Day, among replaced: [String]) throws(SystemError) -> [OwnLink] {
        let earlier = try earlierPictures(of: day, among: replaced)
        let current = try tree.currentRecords(of: day).compactMap(\.picture?.path)
        let names = Set((earlier.keys + current).map { Layout.split($0).name })
        return earlier.sorted { $0.key < $1.key }.compactMap { path, proofs in
            guard let target = tree.root.target(of: path), names.contains(target) else {
                return nil
            }
            return OwnLink(path: path, target: target, proofs: proofs)
        }
    }

    /// Whether the item at `path` is one of the ``ownLinks(of:among:)``.
    func isOwnLink(_ path: String, of day: Day) throws(SystemError) -> Bool {
        guard tree.root.target(of: path) != nil else { return false }
        return try ownLinks(of: day, among: previousPaths(of: day)).contains { $0.path == path }
    }

    /// The paths that the picture of `day` had by earlier records, each with the paths of these records.
    private func earlierPictures(
        of day: Day, among replaced: [String]
    ) throws(SystemError) -> [String: [String]] {
        var pictures: [String: [String]] = [:]
        for path in replaced
        where path.hasPrefix("\(Layout.previous)/") && path.hasSuffix(".json") {
            guard let sha256 = FileName.hash(inPrevious: Layout.split(path).name),
                let bytes = try ifReadable(tree.root.read(path, limit: Layout.largestRecord)),
                SHA256.digits(FileName.sha256Length, of: bytes) == sha256,
                let picture = DayRecord(bytes, of: day)?.picture,
                Layout.isPath(picture.path, inPicturesOf: day)
            else { continue }
            pictures[picture.path, default: []].append(path)
        }
        return pictures
    }
}

extension Tree {
    /// The record of `day`, and the one that is staged to replace it, as far as they are there and can be read.
    func currentRecords(of day: Day) throws(SystemError) -> [DayRecord] {
        var records: [DayRecord] = []
        for path in [Layout.recordPath(of: day), "\(Layout.incoming)/\(Layout.record(of: day))"] {
            let bytes = try ifReadable(root.read(path, limit: Layout.largestRecord))
            if let record = bytes.flatMap({ DayRecord($0, of: day) }) { records.append(record) }
        }
        return records
    }
}
