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
    fileprivate static let folder = "wallpapers"

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    static func path(of name: String) -> String { "\(folder)/\(name)" }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var update = try WallpapersUpdate(input, options)
        try update.run()
        return update.outcome
    }
}

/// One update of ``WallpapersView``.
private struct WallpapersUpdate {
    private let input: ViewInput
    private let options: WallpaperOptions
    private let files: ViewFiles
    /// The names of the items in `wallpapers/` before the update.
    private let names: [String]
    private let refused: RefusedWallpapers
    private var records: RecordIterator
    /// Its errors are not reported, because each reported error causes another update of all views within the hour.
    private var pictures: RecordReader
    private(set) var outcome = ViewOutcome()

    init(_ input: ViewInput, _ options: WallpaperOptions) throws {
        self.input = input
        self.options = options
        files = input.files(of: .wallpapers)
        names = try input.root.textNames(in: WallpapersView.folder)
        refused = RefusedWallpapers(
            try files.deletedLinks(in: WallpapersView.folder, present: names), present: names,
            in: input)
        records = input.records(atMost: options.searchedDayCount)
        pictures = input.recordReader
    }

    mutating func run() throws {
        let chosen = try choosePictures()
        if options.maximumCount > 0 {
            outcome.addUnlistedDays(of: input.snapshot, from: .first)
            outcome.addReadErrors(
                of: records.reader, consequence: "what was made of it before stays")
        }
        guard try files.mayUse(folder: WallpapersView.folder, for: Array(chosen.keys)) else {
            // A user's own directory is no problem if there is nothing to write.
            if !chosen.isEmpty {
                outcome.addObstruction(by: WallpapersView.folder, in: input.root)
            }
            return
        }
        try removeLinks(except: chosen)
        let links = chosen.sorted { $0.key < $1.key }
            .map { ViewFiles.File(path: WallpapersView.path(of: $0), linkTo: "../\($1)") }
        let refusedPaths = refused.newNames.map(WallpapersView.path(of:))
        outcome.add(try files.publish(links, refused: refusedPaths), in: input.root)
        try input.removeFolder(WallpapersView.folder, ifEmptiedBy: outcome)
    }

    /// Removes the links that were not `chosen`; other items in the directory are the user's: they stay, and are no problem.
    private mutating func removeLinks(except chosen: [String: String]) throws {
        let obsolete = refused.namesToForget.union(names).filter { name in
            let mayBeWanted = WallpaperName(name).day.map(isUnreadable) ?? false
            return chosen[name] == nil && !mayBeWanted
        }
        let paths = obsolete.sorted().map(WallpapersView.path(of:))
        outcome.addWithoutObstructions(try files.remove(paths))
    }

    // MARK: The choice

    /// Chooses the newest pictures that fit, except those of refused days; returns the path of each by the name of its link.
    ///
    /// If a day that has a link now cannot be read, the link stays: one picture less is chosen.
    private mutating func choosePictures() throws(SystemError) -> [String: String] {
        let linkedDays = Set(names.compactMap { WallpaperName($0).day })
        var chosen: [String: String] = [:]
        let unlistedDays = linkedDays.filter { input.snapshot.readError(of: $0) != nil }
        // Counted again for each picture, because each record and picture that is read may add an error.
        var unreadableCount: Int {
            let days = Set(records.reader.errors.keys).union(pictures.errors.keys)
            return days.intersection(linkedDays).union(unlistedDays).count
        }
        while chosen.count + unreadableCount < options.maximumCount,
            let record = try records.next()
        {
            guard let picture = try readPicture(of: record) else { continue }
            let name = WallpaperName.text(
                forPictureAt: picture.path,
                isFavorite: input.favorites.contains(record.entry.day))
            chosen[name] = picture.path
        }
        return chosen
    }

    /// Reads the picture of `record`; `nil` if it does not fit, is refused, or cannot be read.
    private mutating func readPicture(
        of record: DayRecord
    ) throws(SystemError) -> PictureRecord? {
        let day = record.entry.day
        guard !refused.days.contains(day), options.accepts(record), let picture = record.picture,
            input.snapshot.readError(of: day) == nil
        else { return nil }
        let input = input
        return try pictures.read(day, input.hasStill(picture)) == true ? picture : nil
    }

    /// Whether the directory, the record or the picture of `day` could not be read, so that its link may be wanted.
    private func isUnreadable(_ day: Day) -> Bool {
        input.snapshot.readError(of: day) != nil || records.reader.errors[day] != nil
            || pictures.errors[day] != nil
    }
}

extension ViewInput {
    /// Whether `picture` is there, and is not animated.
    fileprivate func hasStill(_ picture: PictureRecord) throws(SystemError) -> Bool {
        guard try hasMedia(at: picture.path) else { return false }
        // No JPEG is animated.
        if picture.type == .jpeg { return true }
        let file = try root.openFile(picture.path, O_RDONLY)
        switch try MediaHeader.reading(file, path: picture.path, check: { _, _ in }) {
        case .success(let header): return !header.isAnimated
        case .failure: return false
        }
    }
}
