internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// The mirrors of apod-mirror in the source of an ``Adoption``: the source itself, or folders in it, such as restored backups.
///
/// A mirror has its pictures in `pictures/`. Other pictures in it, such as thumbnails and copies in `favorites/`, may be named
/// by date, too, but are no originals. A path of a mirror ends with a slash, or is empty if the source is a mirror itself.
struct SourceMirrors {
    private let source: Directory
    /// Whether each folder that was examined is a mirror.
    private var examined: [ArraySlice<UInt8>: Bool] = [:]

    init(in source: Directory) { self.source = source }

    /// The mirrors, of those that were found so far, with favorites, or with favorites that cannot be read.
    var withFavorites: [String] {
        examined.filter(\.value).keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
            .filter { mirror in
                let names = try? source.textNames(in: mirror + Layout.favoriteStore)
                return names.map { $0.contains { FileName.day(of: $0) != nil } } ?? true
            }
    }

    /// Whether the item at `path` is in a mirror, but not in its `pictures/`.
    mutating func leavesOut(_ path: [UInt8]) throws(SystemError) -> Bool {
        guard let mirror = try mirror(around: path) else { return false }
        let firstName = path[mirror.endIndex...].prefix { $0 != UInt8(ascii: "/") }
        return !firstName.elementsEqual(Layout.pictures.utf8)
    }

    /// The hash that the record of a mirror has for its picture of `day`, if the item at `path` is in that mirror.
    ///
    /// Only one key is read: the mirror may have an older format.
    ///
    /// - Returns: `nil` if there is no such record, or if it is damaged.
    mutating func originalHash(
        of day: Day, around path: [UInt8]
    ) throws(SystemError) -> String? {
        guard let mirror = try mirror(around: path) else { return nil }
        let path = String(decoding: mirror, as: UTF8.self) + Layout.recordPath(of: day)
        let record = try ifValid(source.read(path))
        return record.flatMap { try? JSON(parsing: $0) }?["picture"]?["sha256"]?.string
    }

    /// The outermost mirror that contains the item at `path`; `nil` if there is none.
    private mutating func mirror(around path: [UInt8]) throws(SystemError) -> ArraySlice<UInt8>? {
        var folder = path[..<0]
        while try !isMirror(folder) {
            let rest = path[folder.endIndex...]
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            folder = path[...slash]
        }
        return folder
    }

    private mutating func isMirror(_ folder: ArraySlice<UInt8>) throws(SystemError) -> Bool {
        if let isMirror = examined[folder] { return isMirror }
        func has(_ name: String) throws(SystemError) -> Bool {
            try source.status(Array(folder) + Array(name.utf8)) != nil
        }
        var isMirror = try has(Layout.pictures)
        // A backup may lack hidden folders.
        if isMirror, try !has(Layout.own) { isMirror = try has(Layout.metadata) }
        examined[folder] = isMirror
        return isMirror
    }
}
