package import APOD
internal import Glibc
package import Mirror
internal import Platform
package import Thumbnails

/// Everything in the root that follows from the newest days: `latest.json`, `latest.jpg`, `feed.xml` and
/// `wallpapers/`.
///
/// A file is written atomically, and only if its contents change. `latest.json` is published last: a
/// program that waits for it finds the others up to date.
package actor DerivedFiles {
    package struct Outcome: Hashable, Sendable {
        /// The paths that were written or removed.
        package internal(set) var written: [String] = []
        /// What is in the way, or could not be made, as sentences.
        package internal(set) var problems: [String] = []
    }

    package struct Options: Hashable, Sendable {
        /// The URL of the root on a web server, with a slash at its end; `nil` for relative addresses.
        package var baseURL: String?
        package var wallpapers = WallpaperOptions()

        package init() {}
    }

    private let store: Store
    let options: Options
    /// Converts pictures; `nil` if no picture is to be decoded.
    private let thumbnails: Thumbnails?
    /// The SHA-256 of pictures that could not be converted; tried again by the next process.
    private var unconvertible: Set<String> = []
    var outcome = Outcome()

    var root: Directory { store.tree.root }

    /// The tree of `store` is open for writing; no picture is decoded without `thumbnails`.
    package init(store: Store, options: Options = Options(), thumbnails: Thumbnails?) {
        self.store = store
        self.options = options
        self.thumbnails = thumbnails?.isAvailable == true ? thumbnails : nil
    }

    /// Updates everything that is not up to date, without days after `newest`.
    ///
    /// - Throws: ``SystemError`` or `CancellationError`; what was written stays.
    package func refresh(favorites: Set<Day>, upTo newest: Day = .last) async throws -> Outcome {
        outcome = Outcome()
        try FavoritesHint(store: store).refresh(favorites)
        var records = try NewestRecords(of: store, upTo: newest)
        try await refreshPicture(&records)
        try refreshFeed(&records)
        try refreshWallpapers(&records, favorites)
        try refreshRecord(&records)
        return outcome
    }

    /// Updates `latest.jpg` and `latest.json`, which no other option concerns.
    package func refreshLatest() async throws -> Outcome {
        outcome = Outcome()
        var records = try NewestRecords(of: store, upTo: .last)
        try await refreshPicture(&records)
        try refreshRecord(&records)
        return outcome
    }

    // MARK: latest.json

    private func refreshRecord(_ records: inout NewestRecords) throws {
        var index = 0
        while let record = try records[index] {
            index += 1
            let paths = [record.picture?.path, record.video?.path].compactMap(\.self)
            guard try paths.contains(where: { try exists($0) }) else { continue }
            if let bytes = try root.read(Layout.recordPath(of: record.entry.day)) {
                try publish(bytes, as: .latestRecord)
            }
            return
        }
    }

    /// Whether there is a file at the recorded `path`.
    func exists(_ path: String?) throws(SystemError) -> Bool {
        guard let path, path.hasPrefix("\(Layout.pictures)/") else { return false }
        return try root.status(path)?.kind == .file
    }

    // MARK: latest.jpg

    private func refreshPicture(_ records: inout NewestRecords) async throws {
        var index = 0
        while let record = try records[index] {
            index += 1
            guard let picture = record.picture, try exists(picture.path) else { continue }
            if picture.type == MediaType.jpeg.rawValue { return try link(to: picture.path) }
            if try await convert(picture, of: record.entry.day) { return }
        }
    }

    private func link(to path: String) throws(SystemError) {
        let file = DerivedFile.latestPicture
        guard root.target(of: file.rawValue) != path, try isFree(file) else { return }
        let isMade = try AtomicFile.publishLink(
            to: path, in: root, as: file.rawValue,
            through: try root.makeDirectory(Layout.incoming))
        if isMade { outcome.written.append(file.rawValue) }
    }

    /// - Returns: Whether the picture can be converted.
    private func convert(_ picture: PictureRecord, of day: Day) async throws -> Bool {
        let file = DerivedFile.latestPicture
        if Thumbnails.originalSHA256(of: file.rawValue, in: root) == picture.sha256,
            try hasEnd(file)
        {
            return true
        }
        guard let thumbnails, Thumbnails.isSupported(picture),
            !unconvertible.contains(picture.sha256)
        else { return false }
        guard try isFree(file) else { return true }
        let bytes: [UInt8]
        do {
            bytes = try await thumbnails.jpeg(of: picture)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            unconvertible.insert(picture.sha256)
            outcome.problems.append("cannot convert \(picture.path) to a JPEG: \(error)")
            return false
        }
        try store.checkFreeSpace(for: bytes.count + 1, at: "\(root.path)/\(file.rawValue)")
        // Its time identifies the day, as the name does for a link.
        try store.publish(bytes, of: day, at: file.rawValue)
        outcome.written.append(file.rawValue)
        return true
    }

    /// Whether the picture `file` was not cut short.
    private func hasEnd(_ file: DerivedFile) throws -> Bool {
        let picture = try root.openFile(file.rawValue, O_RDONLY)
        return (try? MediaHeader(reading: picture).checkEnd(of: picture)) != nil
    }

    // MARK: feed.xml

    private func refreshFeed(_ records: inout NewestRecords) throws {
        var entries: [FeedEntry] = []
        var textLength = 0
        while entries.count < MirrorFeed.maximumEntries, let record = try records[entries.count] {
            var entry = FeedEntry(
                record: record, base: options.baseURL ?? "", hasThumbnails: thumbnails != nil)
            textLength += entry.textLength
            // mutant: feed-limit
            entry.isBrief = textLength > MirrorFeed.maximumTextLength
            entries.append(entry)
        }
        guard !entries.isEmpty else { return }
        let feed = MirrorFeed(entries: entries, id: store.tree.id, baseURL: options.baseURL)
        try publish(feed.atom, as: .atomFeed)
    }

    // MARK: Publication

    private func publish(_ bytes: [UInt8], as file: DerivedFile) throws(SystemError) {
        if try !root.isBeginning(file.rawValue, of: bytes), try !isFree(file) { return }
        if try store.publish(bytes, at: file.rawValue) { outcome.written.append(file.rawValue) }
    }

    /// Whether `file` may be written: it does not exist, or the mirror wrote it.
    func isFree(_ file: DerivedFile) throws(SystemError) -> Bool {
        guard try root.status(file.rawValue) != nil, try !file.isOwn(in: root) else { return true }
        outcome.problems.append(obstruction(by: file.rawValue))
        return false
    }

    func obstruction(by path: String) -> String {
        DerivedFile.obstruction(by: "\(root.path)/\(path)")
    }
}
