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

    private let options: WallpaperOptions

    init(_ settings: ViewSettings) { options = settings.wallpapers }

    static func path(of name: String) -> String { "\(folder)/\(name)" }

    func update(_ input: ViewInput) throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .wallpapers)
        let names = try input.root.textNames(in: Self.folder)
        let refused = RefusedWallpapers(
            try files.deletedLinks(in: Self.folder, present: names), present: names, in: input)

        var records = input.records(atMost: options.searchedDayCount)
        // Its errors are not reported, because each reported error causes another update of all views within the hour.
        var pictures = input.recordReader
        let targets = try chooseTargets(
            from: &records, &pictures, input, except: refused.days,
            linkedDays: Set(names.compactMap { WallpaperName($0).day }))
        if options.maximumCount > 0 {
            outcome.addUnlistedDays(of: input.snapshot, from: .first)
            outcome.addReadErrors(
                of: records.reader, consequence: "what was made of it before stays")
        }
        guard try files.mayUse(folder: Self.folder, for: Array(targets.keys)) else {
            // A user's own directory is no problem if there is nothing to write.
            if !targets.isEmpty { outcome.addObstruction(by: Self.folder, in: input.root) }
            return outcome
        }

        let obsolete = refused.namesToForget.union(names).filter { name in
            targets[name] == nil
                && !mayBeWanted(name, input.snapshot, [records.reader, pictures])
        }
        // Other items in the directory are the user's: they stay, and are no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete.sorted().map(Self.path(of:))))
        let links = targets.sorted { $0.key < $1.key }
            .map { ViewFiles.File(path: Self.path(of: $0), linkTo: $1) }
        outcome.add(
            try files.publish(links, refused: refused.newNames.map(Self.path(of:))), in: input.root)
        try input.removeFolder(Self.folder, ifEmptiedBy: outcome)
        return outcome
    }

    /// Chooses the newest pictures that fit, except those of `refusedDays`; returns the target of each link by its name.
    ///
    /// If the directory, the record or the picture of one of `linkedDays`, which have a link now, cannot be read, the link stays:
    /// one picture less is chosen.
    private func chooseTargets(
        from records: inout RecordIterator, _ pictures: inout RecordReader, _ input: ViewInput,
        except refusedDays: Set<Day>, linkedDays: Set<Day>
    ) throws(SystemError) -> [String: String] {
        var targets: [String: String] = [:]
        let unlistedCount = linkedDays.count { input.snapshot.readError(of: $0) != nil }
        // Computed again for each picture, because each record and picture that is read may add an error.
        var unreadableCount: Int {
            let days = Set(records.reader.errors.keys).union(pictures.errors.keys)
            return unlistedCount + days.count(where: linkedDays.contains)
        }
        while targets.count + unreadableCount < options.maximumCount,
            let record = try records.next()
        {
            let day = record.entry.day
            guard !refusedDays.contains(day), options.accepts(record), let picture = record.picture,
                input.snapshot.readError(of: day) == nil,
                try pictures.read(day, isStill(picture, input)) == true
            else { continue }
            let name = WallpaperName.text(
                forPictureAt: picture.path, isFavorite: input.favorites.contains(day))
            targets[name] = "../\(picture.path)"
        }
        return targets
    }

    /// Whether the picture is there, and is not animated.
    private func isStill(
        _ picture: PictureRecord, _ input: ViewInput
    ) throws(SystemError) -> Bool {
        guard try input.hasMedia(at: picture.path) else { return false }
        // No JPEG is animated.
        if picture.type == .jpeg { return true }
        let file = try input.root.openFile(picture.path, O_RDONLY)
        switch try MediaHeader.reading(file, path: picture.path, check: { _, _ in }) {
        case .success(let header): return !header.isAnimated
        case .failure: return false
        }
    }

    /// Whether the link `name` might be wanted, but the directory, the record or the picture of its day cannot be read.
    private func mayBeWanted(
        _ name: String, _ snapshot: TreeSnapshot, _ readers: [RecordReader]
    ) -> Bool {
        guard let day = WallpaperName(name).day else { return false }
        return snapshot.readError(of: day) != nil || readers.contains { $0.errors[day] != nil }
    }
}
