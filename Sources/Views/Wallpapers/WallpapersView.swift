internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen, for the slide show of a desktop.
///
/// A person who deletes a link refuses the picture: no link to it is made again, unless the person moved it to `favorites/`,
/// the folder for the pictures that a person likes. All other items in `wallpapers/` are the person's, and stay.
struct WallpapersView: View {
    static let title = "the wallpapers"
    private static let folder = "wallpapers"
    /// The beginning of the name of a link to a favorite: `favorite 2026-11-20 The Moon.jpg`.
    private static let favoritePrefix = "favorite "

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .wallpapers)
        let names = try input.root.textNames(in: Self.folder)
        let deleted = try files.deletedLinks(in: Self.folder, present: names)
        let moved = deleted.newlyRefused.filter { mayBeInFavorites($0, input) }
        let newlyRefused = deleted.newlyRefused.subtracting(moved)

        let refusedDays = daysStillRefused(
            deleted.refused.union(newlyRefused), present: names, in: input.root)

        var records = input.records(atMost: options.searchedDayCount)
        let targets = try choosePictures(
            from: &records, input, except: refusedDays,
            linkedDays: Set(names.compactMap(Self.day)))
        if options.count > 0 {
            outcome.addUnlistedDays(of: input.snapshot, from: .first)
            outcome.addReadErrors(
                of: records.reader, consequence: "what was made of it before stays")
        }
        guard try files.mayUse(folder: Self.folder, for: Array(targets.keys)) else {
            // A user's own directory is no problem if there is nothing to write.
            if !targets.isEmpty { outcome.addObstruction(by: Self.folder, in: input.root) }
            return outcome
        }

        // Of links that are gone, the table of the view is to forget that it made them.
        let obsolete = deleted.lost.union(moved).union(names).filter { name in
            targets[name] == nil && !mayBeWanted(name, input.snapshot, records.reader)
        }
        // Other items in the directory are the user's: they stay, and are no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete.sorted().map(Self.path(of:))))
        let links = targets.sorted { $0.key < $1.key }
            .map { ViewFiles.File(path: Self.path(of: $0), linkTo: $1) }
        outcome.add(
            try files.publish(links, refused: newlyRefused.map(Self.path(of:))), in: input.root)
        try input.removeFolder(Self.folder, ifEmptiedBy: outcome)
        return outcome
    }

    // MARK: Refused pictures

    /// Whether a person may have moved the link `name` into `favorites/`, and so wants the picture more than before.
    ///
    /// It is still there under its name, perhaps in a collection; or a scan has found it, because the day was no favorite when
    /// the link was made, and is one now.
    private func mayBeInFavorites(_ name: String, _ input: ViewInput) -> Bool {
        let paths = [name] + input.collections.keys.map { "\($0)/\(name)" }
        let mayBeThere = paths.contains { path in
            !input.root.isCertainlyMissing("\(Layout.favorites)/\(path)")
        }
        if mayBeThere { return true }
        guard let day = Self.day(of: name), !name.hasPrefix(Self.favoritePrefix) else {
            return false
        }
        return input.favorites.contains(day)
    }

    /// The days of the links `refusedNames`, except those to which a person has put a link there again.
    private func daysStillRefused(
        _ refusedNames: Set<String>, present names: [String], in root: Directory
    ) -> Set<Day> {
        var days = Set(refusedNames.compactMap(Self.day))
        guard !days.isEmpty else { return [] }
        for name in names {
            let target = root.target(of: Self.path(of: name)) ?? ""
            let dayOfTarget = Self.day(of: Layout.split(target).name)
            days.subtract([Self.day(of: name), dayOfTarget].compactMap(\.self))
        }
        return days
    }

    // MARK: Chosen pictures

    /// Chooses the newest pictures that fit, except those of `refusedDays`; returns the target of each link by its name.
    ///
    /// If the directory or the record of one of `linkedDays`, which have a link now, cannot be read, the link stays: one picture
    /// less is chosen.
    private func choosePictures(
        from records: inout RecordIterator, _ input: ViewInput, except refusedDays: Set<Day>,
        linkedDays: Set<Day>
    ) throws(SystemError) -> [String: String] {
        var targets: [String: String] = [:]
        let hiddenCount = linkedDays.count { input.snapshot.readError(of: $0) != nil }
        while true {
            let unreadCount = records.reader.errors.keys.count(where: linkedDays.contains)
            guard targets.count + hiddenCount + unreadCount < options.count,
                let record = try records.next()
            else { return targets }
            let day = record.entry.day
            guard !refusedDays.contains(day), options.accepts(record), let picture = record.picture,
                input.snapshot.readError(of: day) == nil,
                try input.hasMedia(at: picture.path), !mayBeAnimated(picture, in: input.root)
            else { continue }
            let prefix = input.favorites.contains(day) ? Self.favoritePrefix : ""
            targets[prefix + Layout.split(picture.path).name] = "../\(picture.path)"
        }
    }

    /// Whether the picture is animated, or cannot be read: another one is chosen instead.
    private func mayBeAnimated(_ picture: PictureRecord, in root: Directory) -> Bool {
        // No JPEG is animated.
        guard picture.type != .jpeg else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let header = try? MediaHeader(reading: file)
        else { return true }
        return header.isAnimated
    }

    /// Whether the link `name` might be wanted, but the directory or the record of its day cannot be read.
    private func mayBeWanted(
        _ name: String, _ snapshot: TreeSnapshot, _ records: RecordReader
    ) -> Bool {
        guard let day = Self.day(of: name) else { return false }
        return snapshot.readError(of: day) != nil || records.errors[day] != nil
    }

    // MARK: Names of links

    private static func path(of name: String) -> String { "\(folder)/\(name)" }

    /// The day in the name of a link; `nil` if there is none.
    private static func day(of name: String) -> Day? {
        let isFavorite = name.hasPrefix(favoritePrefix)
        return FileName.day(of: name.dropFirst(isFavorite ? favoritePrefix.count : 0))
    }
}
