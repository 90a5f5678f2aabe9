internal import APOD
internal import FoundationEssentials
internal import Platform

/// Which directories become mirrors.
extension Tree {
    /// Checks that `root` may become a mirror; `isMade` if this process has just made the directory.
    ///
    /// - Returns: Whether it holds a mirror without its marker.
    static func checkVacancy(
        of root: Directory, known: KnownMirrors, owned: [OwnedPath], isMade: Bool
    ) throws(TreeError) -> Bool {
        // Before the names: what another process creates meanwhile is not missing.
        let isKnown = known.contains(root.path)
        let names: [String]
        do {
            names = try root.names().map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .system(error)
        }
        // The creation was interrupted, or the marker was removed.
        if names.contains(Layout.own) { return false }
        if let snapshot = try? TreeSnapshot(of: root),
            isCopy(root, snapshot) || isCopyOfPictures(names, snapshot, owned)
        {
            return true
        }
        if let other = names.sorted().first(where: { !isExpectedInNewMirror($0) }) {
            throw .notEmpty(root.path, example: other)
        }
        if isKnown, !isMade { throw .unmounted(root.path) }
        return false
    }

    /// Whether a mirror may be created in a directory that contains `name`.
    ///
    /// Packages create favorites/, mkfs creates lost+found, the doctor its test directory.
    package static func isExpectedInNewMirror(_ name: String) -> Bool {
        [Layout.favorites, "lost+found"].contains(name) || name.hasPrefix(Layout.doctor)
    }

    /// Whether `root` holds pictures and records: a mirror copied without its hidden files.
    private static func isCopy(_ root: Directory, _ snapshot: TreeSnapshot) -> Bool {
        guard (try? root.folder(Layout.pictures)) != nil else { return false }
        return snapshot.days.reversed().contains { files in
            guard files.record != nil,
                let bytes = try? root.read(Layout.recordPath(of: files.day), limit: 16 << 20)
            else { return false }
            return DayRecord(bytes, of: files.day) != nil
        }
    }

    // MARK: Pictures alone

    /// Whether `root` holds the pictures of a mirror and nothing else: a mirror copied without its records
    /// and hidden files.
    ///
    /// Anybody may have pictures in directories by month, so that more is required: nothing that a mirror
    /// has not, names as the mirror makes them, one picture a day at most, and either something else of a
    /// mirror, the time that it sets, or a picture on nearly every day.
    private static func isCopyOfPictures(
        _ names: [String], _ snapshot: TreeSnapshot, _ owned: [OwnedPath]
    ) -> Bool {
        let ours = Layout.topNames.union(owned.map(\.path))
        let isForeign = names.contains { name in
            !name.hasPrefix(".") && !ours.contains(name.lowercased())
                && !["lost+found", "System Volume Information"].contains(name)
        }
        guard !isForeign, let days = pictures(in: snapshot), let newest = days.keys.max() else {
            return false
        }
        let signs: Set = [Layout.gallery, "index.html"]
        if !signs.isDisjoint(with: names) { return true }
        if days.contains(where: { $1.stamp.modified == .seconds($0.noon) }) { return true }
        return (0..<10).count { days[newest.advanced(by: -$0)] != nil } >= 7
    }

    /// The pictures by day; `nil` if there is anything that the mirror would not have made.
    private static func pictures(in snapshot: TreeSnapshot) -> [Day: TreeSnapshot.MediaFile]? {
        let isForeign = snapshot.others.contains { item in
            item.path.starts(with: "\(Layout.pictures)/".utf8)
                && !Layout.split(String(decoding: item.path, as: UTF8.self)).name.hasPrefix(".")
        }
        guard !isForeign, snapshot.unreadable.isEmpty else { return nil }
        var pictures: [Day: TreeSnapshot.MediaFile] = [:]
        let tomorrow = Int(Date().timeIntervalSince1970) / 86_400 + 1
        for files in snapshot.days {
            for file in files.media where !file.path.hasSuffix(Layout.sidecarExtension) {
                guard files.day.number <= tomorrow,
                    let type = fileType(of: Layout.split(file.path).name, on: files.day)
                else { return nil }
                // The page and the file of a video are beside its poster.
                guard type != "html", type != MediaType.mp4.fileExtension else { continue }
                guard pictures.updateValue(file, forKey: files.day) == nil else { return nil }
            }
        }
        return pictures
    }

    /// The extension of `name`, if it is one that the mirror gives to a file of `day`.
    static func fileType(of name: String, on day: Day) -> String? {
        guard name.hasPrefix("\(day) "), name.utf8.count <= FileName.maximumBytes,
            let (stem, ending) = name.splitAtLastDot
        else { return nil }
        let type = ending.dropFirst().lowercased()
        guard FileName.stem(of: day, title: String(stem.dropFirst(11))) == stem,
            type == "html" || MediaType.allCases.contains(where: { $0.fileExtension == type })
        else { return nil }
        return type
    }
}
