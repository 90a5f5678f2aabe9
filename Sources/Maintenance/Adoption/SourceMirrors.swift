internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// Finds the mirrors of apod-mirror in the folder that an ``Adoption`` imports, the *source*, such as restored backups.
///
/// The source may be a mirror itself, or contain some. A mirror has its pictures in `pictures/`. Other pictures in it, such as
/// thumbnails and copies in `favorites/`, may be named by date, too, but are no originals, and are left out.
struct SourceMirrors {
    private let source: Directory
    /// Whether each folder that was examined is a mirror; its path ends with a slash, or is empty for the source itself.
    private var examined: [ArraySlice<UInt8>: Bool] = [:]

    init(in source: Directory) { self.source = source }

    /// The paths of the mirrors, of those that were found so far, with favorites, or with favorites that cannot be read.
    var withFavorites: [String] {
        let mirrors = examined.filter(\.value).keys.map { String(decoding: $0, as: UTF8.self) }
        return mirrors.sorted().filter(mayHaveFavorites)
    }

    private func mayHaveFavorites(_ mirror: String) -> Bool {
        guard let names = try? source.textNames(in: mirror + Layout.favoriteStore) else {
            return true
        }
        return names.contains { FileName.day(of: $0) != nil }
    }

    /// Whether the item at `path` is in a mirror, but not in its `pictures/`.
    mutating func leavesOut(_ path: [UInt8]) throws(SystemError) -> Bool {
        guard let mirror = try outermostMirror(around: path) else { return false }
        let pathInMirror = path[mirror.endIndex...]
        let topFolder = pathInMirror.prefix { $0 != UInt8(ascii: "/") }
        return !topFolder.elementsEqual(Layout.pictures.utf8)
    }

    /// The hash that the record of a mirror has for its picture of `day`, if the item at `path` is in that mirror.
    ///
    /// Only one key is read: the mirror may have an older format.
    ///
    /// - Returns: `nil` if there is no such record, or if it is damaged.
    mutating func originalHash(
        of day: Day, around path: [UInt8]
    ) throws(SystemError) -> String? {
        guard let mirror = try outermostMirror(around: path) else { return nil }
        let recordPath = String(decoding: mirror, as: UTF8.self) + Layout.recordPath(of: day)
        guard let bytes = try ifValid(source.read(recordPath)),
            let record = try? JSON(parsing: bytes)
        else { return nil }
        return record["picture"]?["sha256"]?.string
    }

    /// The outermost mirror that contains the item at `path`; `nil` if there is none.
    private mutating func outermostMirror(
        around path: [UInt8]
    ) throws(SystemError) -> ArraySlice<UInt8>? {
        // The source itself, and then the folders above the item, the outermost first.
        var folder = path[..<0]
        while try !isMirror(folder) {
            let rest = path[folder.endIndex...]
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            folder = path[...slash]
        }
        return folder
    }

    /// Whether a folder in the source, whose path ends with a slash or is empty, looks like a mirror.
    private mutating func isMirror(_ folder: ArraySlice<UInt8>) throws(SystemError) -> Bool {
        if let isKnownMirror = examined[folder] { return isKnownMirror }
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
