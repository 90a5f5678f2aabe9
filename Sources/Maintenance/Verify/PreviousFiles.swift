internal import APOD
internal import Mirror
internal import Platform

/// The files in `previous/`: the pictures, videos and records that NASA's later ones replaced.
///
/// A name has the day, and as its last word the hash of the contents: `2026-11-20 3f5a….jpg`.
struct PreviousFiles: Sendable {
    struct Name: Sendable {
        let path: String
        /// `nil` if the name does not begin with one.
        let day: Day?
        /// `nil` if the file is not the mirror's.
        let sha256: String?

        fileprivate init(_ name: String) {
            path = "\(Layout.previous)/\(name)"
            day = FileName.day(of: name)
            let lastWord = (name.splitAtLastDot?.stem ?? name[...]).split(separator: " ").last
            let hash = lastWord.map(String.init) ?? ""
            sha256 = day != nil && hash.isSHA256 ? hash : nil
        }
    }

    private let root: Directory
    /// Sorted by path; empty if the directory is missing or cannot be read.
    private(set) var names: [Name] = []
    /// Why the directory cannot be read; ``findings(in:by:)`` reports it.
    private(set) var error: SystemError?

    init(of tree: Tree) {
        root = tree.root
        do throws(SystemError) {
            let found = try root.folder(Layout.previous)?.textNames() ?? []
            names = found.sorted().map(Name.init)
        } catch {
            self.error = error
        }
    }

    /// The paths of the files whose names have this hash.
    func paths(of sha256: String) -> [String] {
        names.filter { $0.sha256 == sha256 }.map(\.path)
    }

    /// The earlier pictures and videos of `day`: those that earlier records name, then all of them in `previous/`.
    ///
    /// The former have the paths that they had then, where NASA's later ones are now. A file that cannot be read is
    /// left out. The same contents may occur several times.
    ///
    /// - Throws: ``SystemError`` if the directory cannot be read, or if descriptors or memory are exhausted.
    func versions(of day: Day) throws(SystemError) -> [RecordedFile] {
        if let error { throw error }
        var recorded: [RecordedFile] = []
        var others: [RecordedFile] = []
        for name in names where name.day == day {
            if name.path.hasSuffix(".json") {
                let bytes = try ifReadable(root.read(name.path))
                recorded += bytes.flatMap { DayRecord($0, of: day) }?.files ?? []
            } else if let sha256 = name.sha256, let status = try ifReadable(root.status(name.path))
            {
                others.append(RecordedFile(path: name.path, bytes: status.size, sha256: sha256))
            }
        }
        return recorded + others
    }

    /// The picture or video of which the pin at `path`, a favorite's own copy, was made; for ``Repairer``.
    ///
    /// For a missing pin, it is the present one. `nil` if a damaged pin may be of several.
    ///
    /// - Throws: ``SystemError``, as ``versions(of:)`` does.
    func origin(ofPin path: String, _ record: DayRecord) throws(SystemError) -> RecordedFile? {
        let ending = path.splitAtLastDot?.ending
        var versions: [RecordedFile] = []
        for file in try record.files + self.versions(of: record.entry.day) {
            let isKnown = versions.contains { $0.sha256 == file.sha256 }
            if !isKnown, file.path.splitAtLastDot?.ending == ending { versions.append(file) }
        }
        // A missing pin is made anew, from the present picture.
        guard versions.count > 1, let pin = try root.status(path) else { return versions.first }
        // Where the file system cannot share blocks, a pin is a hard link to the picture.
        for version in versions {
            let isPresent = record.files.contains(version)
            let paths = (isPresent ? [version.path] : []) + paths(of: version.sha256)
            for other in paths where try root.status(other)?.identity == pin.identity {
                return version
            }
        }
        // Bits that flip on the disk keep the size.
        let sameSize = versions.filter { $0.bytes == pin.size }
        return sameSize.count == 1 ? sameSize.first : nil
    }

    /// Verifies the files of the days in `scope`: each has the hash that is in its name.
    func findings(
        in scope: VerifyScope, by verifier: FileVerifier
    ) throws(VerifyStopped) -> [VerifyFinding] {
        var findings: [VerifyFinding] = []
        if let error {
            findings.append(VerifyFinding(Layout.previous, of: nil, .unreadable(error)))
        }
        for name in names where scope.contains(name.day) {
            let problem: VerifyFinding.Problem? =
                if let sha256 = name.sha256 {
                    try verifier.problem(
                        at: name.path, expecting: "a file that an edit replaced", sha256: [sha256])
                } else {
                    VerifyFinding.Problem(ofUnclaimed: name.path, in: root)
                }
            if let problem { findings.append(VerifyFinding(name.path, of: name.day, problem)) }
        }
        return findings
    }
}
