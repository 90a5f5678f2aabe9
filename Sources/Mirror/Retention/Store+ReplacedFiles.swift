internal import APOD
package import Platform

/// The files in `previous/` and `damaged/`: how large they are, and which of them `--keep` deletes together with their day.
///
/// `previous/` has files that NASA's edits replaced, and `damaged/` has files that were damaged, or that a person has changed.
/// The setting `--keep` limits how many days the mirror keeps. Only files with names such as `2026-11-20 SHA-256.jpg` go with
/// their day.
extension Store {
    // MARK: Files of a day

    /// The paths of the files in `previous/` that edits of `day` replaced.
    func replacedFiles(of day: Day) throws(SystemError) -> [String] {
        try namedByHash(in: Layout.previous).filter { $0.day == day }.map(\.path)
    }

    /// The files in `damaged/` that have the size of a file of `record`: a disk fault keeps the size, and almost no edit does.
    ///
    /// A file of another size may be a picture that a person edited. It stays, even after its day was removed.
    func damagedFiles(of record: DayRecord) throws(SystemError) -> [String] {
        let sizes = Set(record.allFiles.map(\.bytes))
        var paths: [String] = []
        for file in try namedByHash(in: Layout.damaged) where file.day == record.entry.day {
            if let size = try tree.root.status(file.path)?.size, sizes.contains(size) {
                paths.append(file.path)
            }
        }
        return paths
    }

    private func namedByHash(
        in folder: String
    ) throws(SystemError) -> [(day: Day, path: String)] {
        try tree.root.textNames(in: folder).compactMap { name in
            guard FileName.hash(inArchived: name) != nil, let day = FileName.day(of: name) else {
                return nil
            }
            return (day, "\(folder)/\(name)")
        }
    }

    // MARK: Sizes in bytes

    /// The size of all files that edits of each day replaced.
    func replacedBytes() throws(SystemError) -> [Day: Int] {
        var sizes: [Day: Int] = [:]
        for file in try namedByHash(in: Layout.previous) {
            sizes[file.day] = try (sizes[file.day] ?? 0).addingSaturating(size(of: file.path))
        }
        return sizes
    }

    /// The size of all that is in `previous/` and `damaged/`, whatever its name.
    package func totalSizeOfReplacedItems() throws(SystemError) -> Int {
        var paths: [String] = []
        for folder in [Layout.previous, Layout.damaged] {
            paths += try tree.root.textNames(in: folder).map { "\(folder)/\($0)" }
        }
        return try totalSize(of: paths)
    }

    /// The sum of the sizes of the items at `paths`.
    func totalSize(of paths: [String]) throws(SystemError) -> Int {
        var total = 0
        for path in paths { total = total.addingSaturating(try size(of: path)) }
        return total
    }

    private func size(of path: String) throws(SystemError) -> Int {
        try tree.root.status(path)?.size ?? 0
    }
}
