package import APOD
internal import Platform

/// Which days lie in the tree, told by its names alone.
package struct Census: Hashable, Sendable {
    /// The days whose record stands.
    package private(set) var recorded: Set<Day> = []
    /// The days with a picture or video under its final name.
    package private(set) var pictured: Set<Day> = []

    /// The days that need nothing more: the record is published last, so both stand.
    package var complete: Set<Day> { recorded.intersection(pictured) }

    package init() {}

    /// Reads the names in `pictures/` and `metadata/`, and opens nothing else.
    package init(of tree: Tree) throws {
        let record = Array(".json".utf8)
        let endings = MediaType.allCases.map { Array(".\($0.fileExtension)".utf8) }
        // The two at once: at a start they take as long as much else.
        let halves = Slices.of(2, least: 1) { slice in
            slice.map { half in
                Result {
                    half == 0
                        ? try Self.days(Layout.metadata, in: tree.root) { name in
                            name.count == 15 && name.ends(with: record)
                        }
                        : try Self.days(Layout.pictures, in: tree.root) { name in
                            endings.contains { name.ends(with: $0) }
                        }
                }
            }
        }.flatMap(\.self)
        recorded = try halves[0].get()
        pictured = try halves[1].get()
    }

    /// The days with a still picture under its final name.
    package static func illustrated(in tree: Tree) throws -> Set<Day> {
        let endings = MediaType.allCases.filter(\.isPicture).map {
            Array(".\($0.fileExtension)".utf8)
        }
        return try days(Layout.pictures, in: tree.root) { name in
            endings.contains { name.ends(with: $0) }
        }
    }

    /// The days with a thumbnail.
    package static func thumbnails(in tree: Tree) throws -> Set<Day> {
        let ending = Array(".jpg".utf8)
        return try days(Layout.thumbnails, in: tree.root) { name in
            name.count == 14 && name.ends(with: ending)
        }
    }

    /// The bytes of all pictures, videos and records of `tree`.
    package static func bytes(of tree: Tree) throws -> Int {
        var bytes = 0
        for top in [Layout.pictures, Layout.metadata] {
            for year in try names(of: top, in: tree.root) {
                for month in try names(of: "\(top)/\(year)", in: tree.root) {
                    guard let folder = try tree.root.folder("\(top)/\(year)/\(month)") else {
                        continue
                    }
                    for name in try folder.textNames() {
                        if let status = try folder.status(name), status.kind == .file {
                            bytes += status.size
                        }
                    }
                }
            }
        }
        return bytes
    }

    private static func days(
        _ top: String, in root: Folder, where isOurs: ([UInt8]) -> Bool
    ) throws -> Set<Day> {
        var days: Set<Day> = []
        for year in try names(of: top, in: root) where year.utf8.count == 4 {
            for month in try names(of: "\(top)/\(year)", in: root)
            where month.utf8.count == 7 && month.hasPrefix(year) {
                let start = Array(month.utf8)
                for name in try folder("\(top)/\(year)/\(month)", in: root)?.names() ?? []
                where name.starts(with: start) && isOurs(name) {
                    if let day = FileName.day(of: name) { days.insert(day) }
                }
            }
        }
        return days
    }

    private static func names(
        of path: String, in root: Folder
    ) throws(SystemError) -> [String] {
        try folder(path, in: root)?.textNames() ?? []
    }

    /// A folder, `nil` where there is none or somebody put something else there.
    private static func folder(_ path: String, in root: Folder) throws(SystemError) -> Folder? {
        do {
            return try root.folder(path)
        } catch {
            guard error.isNoFolder else { throw error }
            return nil
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with ending: [UInt8]) -> Bool {
        suffix(ending.count).elementsEqual(ending)
    }
}
