package import APOD
internal import Glibc
internal import JSON
package import Platform

/// A file or directory in the root that follows from the newest days, such as `latest.json`.
///
/// The mirror makes it again when it is removed. A user's own file of the same name is never replaced.
package enum DerivedFile: String, CaseIterable, Sendable {
    /// A copy of the record of the newest day with a picture or a video.
    case latestRecord = "latest.json"
    /// The newest picture that is a JPEG or can be converted to one.
    case latestPicture = "latest.jpg"
    /// The newest days for feed readers, in the format of RFC 4287.
    case atomFeed = "feed.xml"
    /// A directory with links to pictures that fit a screen.
    case wallpapers

    /// The element near the beginning of ``atomFeed``.
    package static let atomMark = "<generator>apod-mirror</generator>"

    /// The beginning of ``latestRecord``, as of each record.
    private static let recordMark = "{\n  \"date\": \""

    /// The sentence that what is at `path` is in the way of a file or a link of the mirror.
    package static func obstruction(by path: String) -> String {
        "\(path) was not written by the mirror and is not overwritten; move it away, and the mirror writes its own"
    }

    /// The beginning of the name of a favorite's link in ``wallpapers``.
    package static let favoriteMark = "favorite "

    /// The length of the beginning of a file that identifies it.
    private static let startLength = 4096

    /// Whether the mirror wrote the file of this name, which exists: also one that is damaged since.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted.
    package func isOwn(in root: Directory) throws(SystemError) -> Bool {
        if self != .wallpapers,
            // mutant: blank-file
            try root.isBlank(rawValue)
        {
            return true
        }
        switch self {
        case .latestRecord:
            if try starts(in: root, with: Self.recordMark, isFirst: true) { return true }
            let bytes = try ifReadable(root.read(rawValue, limit: 1 << 20))
            return bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0) } != nil
        case .latestPicture:
            if root.target(of: rawValue)?.hasPrefix("\(Layout.pictures)/") == true { return true }
            return try starts(in: root, with: "apod-mirror: ")
        case .atomFeed: return try starts(in: root, with: Self.atomMark)
        case .wallpapers: return try Self.isOwnFolder(in: root)
        }
    }

    /// Whether `name` in the directory ``wallpapers`` is a link that the mirror made: it has the name of the
    /// picture that it leads to, after ``favoriteMark`` for a favorite.
    package static func isWallpaper(_ name: String, in folder: Directory) -> Bool {
        let isFavorite = name.hasPrefix(favoriteMark)
        let picture = isFavorite ? String(name.dropFirst(favoriteMark.count)) : name
        guard let day = FileName.day(of: picture) else { return false }
        return folder.target(of: name) == "../\(Layout.folder(Layout.pictures, of: day))/\(picture)"
    }

    /// Whether the directory ``wallpapers`` has a link of the mirror, or nothing to be seen.
    private static func isOwnFolder(in root: Directory) throws(SystemError) -> Bool {
        let folder = try ifReadable(root.folder(wallpapers.rawValue))
        guard let folder, let all = try ifReadable(folder.textNames()) else { return false }
        let names = all.filter { !$0.hasPrefix(".") }
        return names.isEmpty || names.contains { isWallpaper($0, in: folder) }
    }

    /// Whether the beginning of the file contains `mark`, or is `mark`.
    private func starts(
        in root: Directory, with mark: String, isFirst: Bool = false
    ) throws(SystemError) -> Bool {
        let start = try ifReadable(
            root.openFile(rawValue, O_RDONLY).readStart(
                limit: Self.startLength, path: rawValue))
        guard let range = start?.firstRange(of: mark.utf8) else { return false }
        return !isFirst || range.lowerBound == 0
    }

    /// What is wrong with the file of this name, which exists and is the mirror's; `nil` if it has its end.
    func problem(in root: Directory) throws(SystemError) -> VerifyFinding.Problem? {
        if self == .latestPicture, let target = root.target(of: rawValue) {
            guard try ifReadable(root.status(target))?.kind != .file else { return nil }
            return .wrongContents(expected: "a link to the newest picture", found: "a broken link")
        }
        guard try root.status(rawValue)?.kind == .file else { return nil }
        let file = try root.openFile(rawValue, O_RDONLY)
        let isWhole: Bool
        switch self {
        case .wallpapers: return nil
        case .latestPicture: isWhole = (try? MediaHeader(reading: file).checkEnd(of: file)) != nil
        case .latestRecord:
            isWhole = (try? JSON(parsing: root.read(rawValue) ?? [])) != nil
        case .atomFeed:
            isWhole =
                try root.read(rawValue)?.suffix(16).firstRange(of: "</feed>".utf8) != nil
        }
        guard !isWhole else { return nil }
        return .wrongContents(
            expected: "a file that the mirror makes from the newest days",
            found: try root.isBlank(rawValue) ? "an empty file" : "a damaged one")
    }
}

extension Tree {
    /// The day whose picture `latest.jpg` shows, if it is the mirror's.
    package var latestPictureDay: Day? {
        let file = DerivedFile.latestPicture
        guard (try? file.isOwn(in: root)) == true else { return nil }
        if let target = root.target(of: file.rawValue) {
            return FileName.day(of: Layout.split(target).name)
        }
        // A converted picture has the time of its day.
        guard let status = (try? root.status(file.rawValue)) ?? nil, status.kind == .file else {
            return nil
        }
        return Day(number: status.modified / 86_400)
    }
}

extension Directory {
    /// Whether the file `name` is the beginning of `bytes`, which the mirror would write: it was cut short.
    package func isBeginning(_ name: String, of bytes: [UInt8]) throws(SystemError) -> Bool {
        let found = try ifReadable(read(name, limit: bytes.count))
        return found.map { bytes.starts(with: $0) } ?? false
    }

    /// Whether the file `name` has nothing but zeros, as many file systems leave it after a power cut: such a file
    /// is never a user's.
    package func isBlank(_ name: String) throws(SystemError) -> Bool {
        let start = try ifReadable(
            openFile(name, O_RDONLY).readStart(limit: 4096, path: name))
        return start?.allSatisfy { $0 == 0 } ?? false
    }
}
