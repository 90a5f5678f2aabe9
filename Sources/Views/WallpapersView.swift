internal import APOD
internal import Glibc
package import MediaFormat
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen, for the slide show of a desktop.
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
        // A person who put a link to the day there wants it again.
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
            // A user's own directory is no problem if there is nothing to write.
            if !choice.targets.isEmpty { outcome.addObstruction(by: Self.path, in: input.root) }
            return outcome
        }
        // Of the links that a person deleted, those that would be made again are remembered.
        let refused = deleted.new.filter { Self.day(of: $0).map(choice.refused.contains) == true }
        let outdated = deleted.lost.union(deleted.new).subtracting(refused).union(names)
            .filter { choice.targets[$0] == nil && !isHidden($0, in: input.snapshot, records) }
        // Other items there are the user's, and no problem.
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
        /// The days that would have a link, if a person had not deleted it.
        var refused: Set<Day> = []
    }

    /// Chooses the newest pictures that fit.
    ///
    /// If a record cannot be read, and its day is one of `linkedDays`, its link stays and takes one of the places.
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

    /// Whether the picture is animated, or cannot be read; then another one is taken.
    private func mayBeAnimated(_ picture: PictureRecord, in root: Directory) -> Bool {
        // No JPEG is animated.
        guard picture.type != .jpeg else { return false }
        guard let file = try? root.openFile(picture.path, O_RDONLY),
            let header = try? MediaHeader(reading: file)
        else { return true }
        return header.isAnimated
    }

    // MARK: Names of links

    private static func path(of name: String) -> String { "\(path)/\(name)" }

    /// The day in the name of a link, such as `favorite 2026-11-20 The Moon.jpg`.
    private static func day(of name: String) -> Day? {
        let isFavorite = name.hasPrefix(favoriteMark)
        return FileName.day(of: name.dropFirst(isFavorite ? favoriteMark.count : 0))
    }

    /// The days in the names of the items, and in the names of the targets of those that are links.
    private static func days(of names: [String], in root: Directory) -> [Day] {
        names.flatMap { name in
            [name, root.target(of: path(of: name)).map { Layout.split($0).name }]
                .compactMap { $0.flatMap(day) }
        }
    }

    /// Whether the link `name` may be wanted, because the directory or the record of its day cannot be read.
    private func isHidden(
        _ name: String, in snapshot: TreeSnapshot, _ records: RecordIterator
    ) -> Bool {
        Self.day(of: name).map { snapshot.readError(of: $0) != nil || records.errors[$0] != nil }
            ?? false
    }
}

/// Which pictures are in `wallpapers/`.
package struct WallpaperOptions: Hashable, Sendable {
    package enum Orientation: String, CaseIterable, Sendable {
        case landscape, portrait, any
    }

    /// The number of pictures; 0 for none.
    package var count = 30
    /// The size of the screen, in either orientation.
    package var screen = PixelSize(width: 1920, height: 1080)
    package var orientation = Orientation.landscape

    package init() {}

    /// The number of newest days that are searched for pictures.
    var days: Int { max(365, count * 10) }

    private static let types: Set<MediaType> = [.jpeg, .png, .webp]

    /// Whether the picture of `record` is a still one, large enough for the screen, and of about its proportions.
    func accepts(_ record: DayRecord) -> Bool {
        guard record.entry.mediaType == "image", record.video == nil, let picture = record.picture,
            let type = picture.type, Self.types.contains(type)
        else { return false }
        let size = PixelSize(width: picture.width, height: picture.height)
        let ratio = Double(size.width) / Double(size.height)
        return ratios.contains { $0 ~= ratio } && size.longSide >= screen.longSide
            && size.shortSide >= screen.shortSide
    }

    /// Width by height of pictures for screens; a screen that is called 21:9 has up to 12:5, as in 3840 × 1600 pixels.
    private var ratios: [ClosedRange<Double>] {
        switch orientation {
        case .landscape: [4.0 / 3...12.0 / 5]
        case .portrait: [9.0 / 16...3.0 / 4]
        case .any: [4.0 / 3...12.0 / 5, 9.0 / 16...3.0 / 4]
        }
    }
}
