package import APOD
package import Platform

/// The days in the tree, found by file names alone.
package struct TreeIndex: Hashable, Sendable {
    /// The days with a record.
    package private(set) var recorded: Set<Day> = []
    /// The days with a file of a picture in `pictures/`.
    package private(set) var pictured: Set<Day> = []
    /// The days with a file of a picture that can have a thumbnail.
    package private(set) var illustrated: Set<Day> = []
    /// The days with a file of a picture or video in `pictures/`.
    package private(set) var published: Set<Day> = []
    /// The years (`2026`) and months (`2026-11`) whose directories cannot be read, and why; also `pictures` or
    /// `metadata` where something else is in its place.
    package private(set) var unreadable: [String: SystemError] = [:]

    /// The days with a record, which is published last, and a picture or video.
    package var complete: Set<Day> { recorded.intersection(published) }

    /// Lists `pictures/` and `metadata/`, and opens no file.
    ///
    /// A directory in place of a file does not count, nor a link in place of a picture or video; one in place
    /// of a record does, as a damaged record.
    ///
    /// - Throws: ``SystemError`` if `pictures/` or `metadata/` cannot be read; an unreadable directory
    ///   inside affects only its own days.
    package init(of tree: Tree) throws {
        let records = try Self.records(in: tree)
        let endings = MediaType.allCases.map { (type: $0, Array(".\($0.fileExtension)".utf8)) }
        var (pictured, illustrated): (Set<Day>, Set<Day>) = ([], [])
        let media = try Self.days(
            Layout.pictures, in: tree, except: [.directory, .symbolicLink]
        ) { name in
            let type = endings.first { name.suffix($1.count).elementsEqual($1) }?.type
            if let type, type.isPicture, let day = Day(iso: name.prefix(10)) {
                pictured.insert(day)
                if type.hasThumbnail { illustrated.insert(day) }
            }
            return type != nil
        }
        (recorded, published) = (records.days, media.days)
        (self.pictured, self.illustrated) = (pictured, illustrated)
        unreadable = records.unreadable.merging(media.unreadable) { first, _ in first }
    }

    /// The days with a record.
    package static func recorded(in tree: Tree) throws -> Set<Day> { try records(in: tree).days }

    /// The months with a directory of records, such as `2026-11`, in ascending order.
    package static func months(in root: Directory) throws(SystemError) -> [String] {
        var months: [String] = []
        for year in try root.textNames(in: Layout.metadata) where year.utf8.count == 4 {
            let names = try root.textNames(in: "\(Layout.metadata)/\(year)")
            months += names.filter { $0.utf8.count == 7 && $0.hasPrefix("\(year)-") }
        }
        return months.sorted()
    }

    private static func records(
        in tree: Tree
    ) throws(SystemError) -> (days: Set<Day>, unreadable: [String: SystemError]) {
        let ending = Array(".json".utf8)
        return try days(Layout.metadata, in: tree, except: [.directory]) {
            $0.dropFirst(10).elementsEqual(ending)
        }
    }

    package static func thumbnails(in tree: Tree) throws -> Set<Day> {
        let ending = Array(".jpg".utf8)
        return try days(Layout.thumbnails, in: tree) {
            $0.dropFirst(10).elementsEqual(ending)
        }.days
    }

    /// The bytes of all readable pictures, videos and records of `tree`.
    package static func bytes(of tree: Tree) -> Int {
        var bytes = 0
        for top in [Layout.pictures, Layout.metadata] {
            forEachFile(of: top, in: tree) { bytes = bytes.addingSaturating($1) }
        }
        return bytes
    }

    /// The bytes of the readable pictures and videos of each day.
    package static func mediaBytes(of tree: Tree) -> [Day: Int] {
        var bytes: [Day: Int] = [:]
        forEachFile(of: Layout.pictures, in: tree) { name, size in
            if let day = FileName.day(of: name), !name.hasSuffix(".html"),
                !name.hasSuffix(Layout.sidecarExtension)
            {
                bytes[day] = (bytes[day] ?? 0).addingSaturating(size)
            }
        }
        return bytes
    }

    /// The days with a readable picture or video of each size.
    static func daysBySize(of tree: Tree) -> [Int: [Day]] {
        var days: [Int: [Day]] = [:]
        forEachFile(of: Layout.pictures, in: tree) { name, size in
            if let day = FileName.day(of: name) { days[size, default: []].append(day) }
        }
        return days
    }

    private static func forEachFile(
        of top: String, in tree: Tree, _ body: (_ name: String, _ size: Int) -> Void
    ) {
        for year in (try? tree.root.textNames(in: top)) ?? [] {
            for month in (try? tree.root.textNames(in: "\(top)/\(year)")) ?? [] {
                guard let folder = try? tree.root.folder("\(top)/\(year)/\(month)"),
                    let names = try? folder.textNames()
                else { continue }
                for name in names {
                    if let status = try? folder.status(name), status.kind == .file {
                        body(name, status.size)
                    }
                }
            }
        }
    }

    private static func days(
        _ top: String, in tree: Tree, except excluded: Set<FileStatus.FileType> = [],
        where isOurs: ([UInt8]) -> Bool
    ) throws(SystemError) -> (days: Set<Day>, unreadable: [String: SystemError]) {
        var unreadable: [String: SystemError] = [:]
        func names(
            in path: String, except excluded: Set<FileStatus.FileType> = []
        ) throws(SystemError) -> [[UInt8]] {
            do {
                return try tree.root.names(in: path, except: excluded) ?? []
            } catch {
                guard path != top || error.isNotDirectory else { throw error }
                unreadable[Layout.split(path).name] = error
                return []
            }
        }
        var days: Set<Day> = []
        for year in try names(in: top)
        where year.count == 4 && year.allSatisfy({ 0x30...0x39 ~= $0 }) {
            let folder = "\(top)/\(String(decoding: year, as: UTF8.self))"
            for month in try names(in: folder)
            where month.count == 7 && month.starts(with: year) {
                let folder = "\(folder)/\(String(decoding: month, as: UTF8.self))"
                for name in try names(in: folder, except: excluded)
                where name.starts(with: month) && isOurs(name) {
                    if let day = Day(iso: name.prefix(10)) { days.insert(day) }
                }
            }
        }
        return (days, unreadable)
    }
}

extension Store {
    /// The complete days of `index`, without those that only have a file of a user, and without those of
    /// videos whose recorded poster is missing.
    ///
    /// Few records are read: of days that are not kept or are to be retried, and of videos. `readsAll` reads
    /// all: without a state, each day may be one that retention removed.
    package func completeDays(
        _ index: TreeIndex, readsAll: Bool = false
    ) throws(SystemError) -> Set<Day> {
        var days = index.complete
        let state = try state()
        let keptFrom = readsAll ? .last : state.keptFrom ?? .first
        for day in days
        where day < keptFrom || !index.pictured.contains(day) || state.retries[day] != nil {
            guard let record = try record(of: day) else { continue }
            var isComplete = false
            if record.removed == nil, let path = record.mediaPath {
                isComplete = try tree.exists(path)
            }
            // mutant: user-picture
            if !isComplete { days.remove(day) }
        }
        return days
    }
}
