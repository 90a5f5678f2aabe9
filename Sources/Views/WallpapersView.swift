internal import APOD
internal import Glibc
package import MediaFormat
internal import Mirror
internal import Platform

/// `wallpapers/`: links to the newest pictures that fit a screen, for the slide show of a desktop.
///
/// A person who deletes a link refuses the picture: no link to it is made again, unless the person moved it to `favorites/`.
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
        // A person deleted the links in `refused` before the last update, and those in `newlyRefused` since. Those in
        // `lost` are gone for another reason, such as a backup.
        let deleted = try files.deletedLinks(in: Self.folder, present: names)
        let new = deleted.newlyRefused.filter { !mayBeInFavorites($0, input) }
        var refusedDays = Set(deleted.refused.union(new).compactMap(Self.day))
        // A person who later puts a link to the day there wants the picture again.
        if !refusedDays.isEmpty { refusedDays.subtract(Self.days(of: names, in: input.root)) }
        var records = input.records
        let targets = try choosePictures(
            from: &records, input, refusedDays: refusedDays,
            linkedDays: Set(names.compactMap(Self.day)))
        if options.count > 0 {
            outcome.addUnlistedDays(of: input.snapshot, from: .first)
            outcome.addReadErrors(of: records, consequence: "what was made of it before stays")
        }
        guard try files.mayUse(folder: Self.folder, for: Array(targets.keys)) else {
            // A user's own directory is no problem if there is nothing to write.
            if !targets.isEmpty { outcome.addObstruction(by: Self.folder, in: input.root) }
            return outcome
        }
        let obsolete = deleted.lost.union(deleted.newlyRefused).subtracting(new).union(names)
            .filter { targets[$0] == nil && !mayBeWanted($0, input.snapshot, records) }
        // Other items in the directory are the user's: they stay, and are no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete.sorted().map(Self.path(of:))))
        let links = targets.sorted { $0.key < $1.key }
            .map { ViewFiles.File(path: Self.path(of: $0), linkTo: $1) }
        outcome.add(
            try files.publish(links, refused: new.map(Self.path(of:))), in: input.root)
        try input.removeFolder(Self.folder, ifEmptiedBy: outcome)
        return outcome
    }

    /// Whether a person may have moved the link `name` into `favorites/`, and so wants the picture more than before.
    ///
    /// It is still there under its name, perhaps in a collection; or a scan has found it, because the day was no favorite when
    /// the link was made, and is one now.
    private func mayBeInFavorites(_ name: String, _ input: ViewInput) -> Bool {
        let paths = [name] + input.collections.keys.map { "\($0)/\(name)" }
        if paths.contains(where: { !input.root.isCertainlyMissing("\(Layout.favorites)/\($0)") }) {
            return true
        }
        return !name.hasPrefix(Self.favoritePrefix)
            && Self.day(of: name).map(input.favorites.contains) == true
    }

    /// Chooses the newest pictures that fit, except those of `refusedDays`; returns the target of each link by its name.
    ///
    /// If the directory or the record of one of `linkedDays`, which have a link now, cannot be read, the link stays: one picture
    /// less is chosen.
    private func choosePictures(
        from records: inout RecordIterator, _ input: ViewInput, refusedDays: Set<Day>,
        linkedDays: Set<Day>
    ) throws(SystemError) -> [String: String] {
        var targets: [String: String] = [:]
        var remainingDays = options.searchedDayCount
        let hiddenCount = linkedDays.count { input.snapshot.readError(of: $0) != nil }
        while targets.count + hiddenCount
            + records.errors.keys.count(where: linkedDays.contains) < options.count,
            let record = try records.next(untilErrors: remainingDays)
        {
            remainingDays -= 1
            let day = record.entry.day
            guard !refusedDays.contains(day), options.accepts(record), let picture = record.picture,
                input.snapshot.readError(of: day) == nil,
                try input.hasMedia(at: picture.path), !mayBeAnimated(picture, in: input.root)
            else { continue }
            let prefix = input.favorites.contains(day) ? Self.favoritePrefix : ""
            targets[prefix + Layout.split(picture.path).name] = "../\(picture.path)"
        }
        return targets
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

    private static func path(of name: String) -> String { "\(folder)/\(name)" }

    /// The day in the name of a link; `nil` if there is none.
    private static func day(of name: String) -> Day? {
        let isFavorite = name.hasPrefix(favoritePrefix)
        return FileName.day(of: name.dropFirst(isFavorite ? favoritePrefix.count : 0))
    }

    /// The days of the items with these `names`: of each item the day in its name, of a link also the day of its target.
    private static func days(of names: [String], in root: Directory) -> [Day] {
        names.flatMap { name in
            [name, root.target(of: path(of: name)).map { Layout.split($0).name }]
                .compactMap { $0.flatMap(day) }
        }
    }

    /// Whether the link `name` might be wanted, but the directory or the record of its day cannot be read.
    private func mayBeWanted(
        _ name: String, _ snapshot: TreeSnapshot, _ records: RecordIterator
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

    /// The maximum number of pictures; 0 for no links.
    package var count = 30
    /// The size of the screen, in either orientation.
    package var screen = PixelSize(width: 1920, height: 1080)
    package var orientation = Orientation.landscape

    package init() {}

    /// The number of newest days that are searched for pictures: about one picture in ten fits.
    var searchedDayCount: Int { max(365, count * 10) }

    private static let types: Set<MediaType> = [.jpeg, .png, .webp]

    /// Whether the picture of `record` is a still one, large enough for the screen, and of about its proportions.
    func accepts(_ record: DayRecord) -> Bool {
        guard record.entry.mediaType == "image", record.video == nil, let picture = record.picture,
            let type = picture.type, Self.types.contains(type)
        else { return false }
        let size = PixelSize(width: picture.width, height: picture.height)
        let ratio = Double(size.width) / Double(size.height)
        return acceptedRatios.contains { $0 ~= ratio } && size.longSide >= screen.longSide
            && size.shortSide >= screen.shortSide
    }

    /// The width divided by the height of a picture that fits; the widest screens have 12:5, such as 3840 × 1600 pixels.
    private var acceptedRatios: [ClosedRange<Double>] {
        switch orientation {
        case .landscape: [4.0 / 3...12.0 / 5]
        case .portrait: [9.0 / 16...3.0 / 4]
        case .any: [4.0 / 3...12.0 / 5, 9.0 / 16...3.0 / 4]
        }
    }
}
