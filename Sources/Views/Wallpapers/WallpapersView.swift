internal import APOD
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen, for a slide show of the desktop.
struct WallpapersView: View {
    static let title = "the wallpapers"
    private static let path = "wallpapers"
    /// The beginning of the name of a favorite's link.
    private static let favoriteMark = "favorite "

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .wallpapers)
        let names = try input.root.textNames(in: Self.path)
        let deleted = try files.deletedLinks(in: Self.path, present: names)
        // A link to the day that a person put there ends the refusal.
        var refusedDays = Set(deleted.refused.union(deleted.new).compactMap(Self.day))
        if !refusedDays.isEmpty { refusedDays.subtract(Self.days(of: names, in: input.root)) }
        var records = input.records
        let choice = try choice(
            from: &records, input, without: refusedDays,
            linkedDays: Set(names.compactMap(Self.day)))
        if options.count > 0 {
            outcome.addHiddenDays(of: input.snapshot, from: .first)
            outcome.addUnreadable(records, "what was made of it before stays")
        }
        guard try files.mayUse(folder: Self.path, for: Array(choice.targets.keys)) else {
            // A user's own directory is no problem where there is nothing to write.
            if !choice.targets.isEmpty { outcome.addObstruction(by: Self.path, in: input.root) }
            return outcome
        }
        // Of what a person deleted, only links that would be made again are remembered.
        let refused = deleted.new.filter { Self.day(of: $0).map(choice.refused.contains) == true }
        let outdated = deleted.lost.union(deleted.new).subtracting(refused).union(names)
            .filter { choice.targets[$0] == nil && !isHidden($0, in: input.snapshot, records) }
        // The other items there are the user's, and in nobody's way.
        outcome.addChanges(try files.remove(outdated.sorted().map(Self.path(of:))))
        let links = choice.targets.sorted { $0.key < $1.key }
            .map { ViewFiles.File(path: Self.path(of: $0), linkTo: $1) }
        outcome.add(
            try files.publish(links, refused: refused.map(Self.path(of:))), in: input.root)
        try input.removeIfEmptied(Self.path, by: outcome)
        return outcome
    }

    // MARK: The choice of pictures

    private struct Choice {
        /// The target of each link, by its name.
        var targets: [String: String] = [:]
        /// The days whose pictures would be among them, but for a person who deleted their links.
        var refused: Set<Day> = []
    }

    /// The newest pictures that fit.
    ///
    /// Of a record that cannot be read, the link stays, if its day is one of `linkedDays`, and takes one of the places.
    private func choice(
        from records: inout RecordIterator, _ input: ViewInput, without refusedDays: Set<Day>,
        linkedDays: Set<Day>
    ) throws(SystemError) -> Choice {
        var choice = Choice()
        var remainingDays = options.days
        while choice.targets.count + records.errors.keys.count(where: linkedDays.contains)
            < options.count, let record = try records.next(untilErrors: remainingDays)
        {
            remainingDays -= 1
            guard options.accepts(record), let picture = record.picture,
                try input.hasMedia(at: picture.path), !mayBeAnimated(picture, in: input.root)
            else { continue }
            let day = record.entry.day
            guard !refusedDays.contains(day) else {
                choice.refused.insert(day)
                continue
            }
            let mark = input.favorites.contains(day) ? Self.favoriteMark : ""
            choice.targets[mark + Layout.split(picture.path).name] = "../\(picture.path)"
        }
        return choice
    }

    /// Whether the picture moves, or cannot be read: another one is as good.
    ///
    /// A JPEG never moves, and its file is not read.
    private func mayBeAnimated(_ picture: PictureRecord, in root: Directory) -> Bool {
        guard picture.type != .jpeg else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let header = try? MediaHeader(reading: file)
        else { return true }
        return header.isAnimated
    }

    // MARK: Names of links

    private static func path(of name: String) -> String { "\(path)/\(name)" }

    /// The day in the name of a link.
    private static func day(of name: String) -> Day? {
        let isFavorite = name.hasPrefix(favoriteMark)
        return FileName.day(of: name.dropFirst(isFavorite ? favoriteMark.count : 0))
    }

    /// The days that the items in the directory name, or lead to.
    private static func days(of names: [String], in root: Directory) -> [Day] {
        names.flatMap { name in
            [name, root.target(of: path(of: name)).map { Layout.split($0).name }]
                .compactMap { $0.flatMap(day) }
        }
    }

    /// Whether the link `name` may be wanted: its day is in a directory that cannot be listed, or its record cannot be read.
    private func isHidden(
        _ name: String, in snapshot: TreeSnapshot, _ records: RecordIterator
    ) -> Bool {
        Self.day(of: name).map { snapshot.readError(of: $0) != nil || records.errors[$0] != nil }
            ?? false
    }
}
