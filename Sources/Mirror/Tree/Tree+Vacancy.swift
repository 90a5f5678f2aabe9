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
        if isCopy(root) || isCopyOfPictures(root, names, owned) { return true }
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

    private static func folder(_ name: String, in root: Directory) -> Directory? {
        try? root.folder(name)
    }

    /// Whether `root` holds pictures and records: a mirror copied without its hidden files.
    private static func isCopy(_ root: Directory) -> Bool {
        guard folder(Layout.pictures, in: root) != nil,
            let metadata = folder(Layout.metadata, in: root)
        else { return false }
        for year in ((try? metadata.textNames()) ?? []).sorted().reversed() {
            for month in ((try? metadata.folder(year)?.textNames()) ?? []).sorted().reversed() {
                let names = (try? metadata.folder("\(year)/\(month)")?.textNames()) ?? []
                for name in names {
                    guard let day = FileName.day(of: name), name == Layout.record(of: day),
                        let bytes = try? metadata.read("\(year)/\(month)/\(name)", limit: 16 << 20)
                    else { continue }
                    if DayRecord(bytes, of: day) != nil { return true }
                }
            }
        }
        return false
    }

    // MARK: Pictures alone

    /// Whether `root` holds the pictures of a mirror and nothing else: a mirror copied without its records
    /// and hidden files.
    ///
    /// Anybody may have pictures in directories by month, so that more is required: nothing that a mirror
    /// has not, names as the mirror makes them, one picture a day at most, and either something else of a
    /// mirror, the time that it sets, or a picture on nearly every day.
    private static func isCopyOfPictures(
        _ root: Directory, _ names: [String], _ owned: [OwnedPath]
    ) -> Bool {
        let ours = Layout.topNames.union(owned.map(\.path))
        let others = names.filter { name in
            !name.hasPrefix(".") && !ours.contains(name.lowercased())
                && !["lost+found", "System Volume Information"].contains(name)
        }
        guard others.isEmpty, let pictures = folder(Layout.pictures, in: root),
            let days = days(of: pictures), let newest = days.keys.max()
        else { return false }
        let signs: Set = [Layout.gallery, "index.html"]
        if !signs.isDisjoint(with: names) { return true }
        if days.contains(where: { (try? pictures.status($1))??.modified == $0.noon }) {
            return true
        }
        return (0..<10).count { days[newest.advanced(by: -$0)] != nil } >= 7
    }

    /// The pictures in `pictures` by day; `nil` if there is anything that the mirror would not have made.
    private static func days(of pictures: Directory) -> [Day: String]? {
        var days: [Day: String] = [:]
        let tomorrow = Int(Date().timeIntervalSince1970) / 86_400 + 1
        for year in visible(pictures) {
            guard year.utf8.count == 4, Int(year) != nil, let months = try? pictures.folder(year)
            else { return nil }
            for month in visible(months) {
                guard month.utf8.count == 7, month.hasPrefix("\(year)-"),
                    Int(month.suffix(2)) != nil,
                    let files = try? months.folder(month)
                else { return nil }
                for name in visible(files) where !name.hasSuffix(Layout.sidecarExtension) {
                    guard let day = FileName.day(of: name), day.number <= tomorrow,
                        name.hasPrefix("\(month)-"), let type = fileType(of: name, on: day)
                    else { return nil }
                    // The page and the file of a video are beside its poster.
                    guard type != "html", type != MediaType.mp4.fileExtension else { continue }
                    guard days.updateValue("\(year)/\(month)/\(name)", forKey: day) == nil else {
                        return nil
                    }
                }
            }
        }
        return days
    }

    private static func visible(_ folder: Directory) -> [String] {
        ((try? folder.names()) ?? []).map { String(decoding: $0, as: UTF8.self) }
            .filter { !$0.hasPrefix(".") }
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
