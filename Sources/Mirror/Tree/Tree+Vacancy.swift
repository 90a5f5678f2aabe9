internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Platform

/// Which directories without the marker of a mirror may become one.
extension Tree {
    /// What a directory without a marker may become: a mirror again if it is a copy without the hidden files.
    enum Vacancy { case newMirror, copyOfMirror }

    /// Decides what `root`, which has no marker, may become; `isMade` says that this process has just made it.
    ///
    /// - Throws: ``TreeError`` if it may not become a mirror.
    static func vacancy(
        of root: Directory, known: KnownMirrors, owned: [OwnedPath], isMade: Bool
    ) throws(TreeError) -> Vacancy {
        // Before `root` is listed: a mirror that another process creates after that must not count as unmounted.
        let isKnown = known.contains(root.path)
        let names: [String]
        do {
            names = try root.names().map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .system(error)
        }
        // The creation of a mirror was interrupted, or the marker in this directory was removed.
        if names.contains(Layout.own) { return .newMirror }
        // If it cannot be read, its names decide.
        if let snapshot = try? TreeSnapshot(of: root),
            isCopyWithRecords(root, snapshot) || isCopyWithoutRecords(names, snapshot, owned)
        {
            return .copyOfMirror
        }
        if let other = names.sorted().first(where: { !isExpectedInNewMirror($0) }) {
            throw .notEmpty(root.path, example: other)
        }
        // A known mirror that is empty: its disk is probably not mounted.
        if isKnown, !isMade { throw .unmounted(root.path) }
        return .newMirror
    }

    /// Whether a mirror may be created in a directory that contains `name`; packages create favorites/, mkfs creates
    /// lost+found, the doctor its test directory.
    package static func isExpectedInNewMirror(_ name: String) -> Bool {
        [Layout.favorites, "lost+found"].contains(name) || name.hasPrefix(Layout.doctor)
    }

    /// Whether `root` has the directory of pictures and a valid record.
    private static func isCopyWithRecords(_ root: Directory, _ snapshot: TreeSnapshot) -> Bool {
        guard (try? root.folder(Layout.pictures)) != nil else { return false }
        return snapshot.days.reversed().contains { files in
            guard files.record != nil,
                let bytes = try? root.read(Layout.recordPath(of: files.day), limit: 16 << 20)
            else { return false }
            return DayRecord(bytes, of: files.day) != nil
        }
    }

    /// Whether a directory with these `names` holds pictures of a mirror, copied without its records.
    ///
    /// Anybody may have pictures in directories by month. So the names must be those of a mirror, with at
    /// most one picture a day, and there must be a gallery, the modification time that a mirror sets, or a
    /// picture on seven of the ten days up to the newest.
    private static func isCopyWithoutRecords(
        _ names: [String], _ snapshot: TreeSnapshot, _ owned: [OwnedPath]
    ) -> Bool {
        // In lower case, as some file systems ignore case and copies may have another one.
        let ours = Layout.topNames.union(owned.map { $0.path.lowercased() })
        let isForeign = names.contains { name in
            !name.hasPrefix(".") && !ours.contains(name.lowercased())
                && !["lost+found", "System Volume Information"].contains(name)
        }
        guard !isForeign, let pictures = pictures(in: snapshot), let newest = pictures.keys.max()
        else { return false }
        let hasGallery = names.contains(Layout.gallery) || names.contains("index.html")
        // A mirror sets the modification time of a picture to noon of its day.
        let hasTime = pictures.contains { day, file in
            file.stamp.modified == .seconds(day.noon)
        }
        if hasGallery || hasTime { return true }
        return (0..<10).count { pictures[newest.advanced(by: -$0)] != nil } >= 7
    }

    /// The pictures by day; `nil` if there is a file that no mirror makes.
    private static func pictures(in snapshot: TreeSnapshot) -> [Day: TreeSnapshot.MediaFile]? {
        let isForeign = snapshot.others.contains { item in
            item.path.starts(with: "\(Layout.pictures)/".utf8)
                && !Layout.split(String(decoding: item.path, as: UTF8.self)).name.hasPrefix(".")
        }
        guard !isForeign, snapshot.unreadable.isEmpty else { return nil }
        var pictures: [Day: TreeSnapshot.MediaFile] = [:]
        let dates = PlausibleDates(now: Date(), built: PlausibleDates.builtDate, recorded: nil)
        for files in snapshot.days {
            for file in files.media where !file.path.hasSuffix(Layout.sidecarExtension) {
                guard dates.contains(files.day),
                    FileName.mediaExtension(of: Layout.split(file.path).name, on: files.day) != nil
                else { return nil }
                // The page and the file of a video are beside its poster.
                guard MediaType(ofName: file.path)?.isPicture == true else { continue }
                guard pictures.updateValue(file, forKey: files.day) == nil else { return nil }
            }
        }
        return pictures
    }
}
