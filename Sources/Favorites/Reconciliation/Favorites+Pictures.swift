internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Pins the pictures of favorites, and finds and restores those that the mirror lacks.
///
/// A pin is a hard link to a picture, or a copy, beside the record of its favorite in `.apod-mirror/favorites/`: it
/// stays when the mirror loses the picture. A missing favorite is one without an item in `favorites/`.
extension Favorites {
    /// Records the titles of days that have been mirrored since they became favorites.
    func recordTitles() {
        let withoutTitle = book.favorites.values.filter { $0.title == nil }
        write(withoutTitle.map { withTitle($0) }.filter { $0.title != nil })
    }

    /// Pins the pictures of present favorites, or of those of `days`, that have no pin, the newest days first.
    ///
    /// A favorite of ``removed`` that has returned leaves the trash, with its pin if it has no new one.
    func pinPictures(of days: Set<Day>? = nil) {
        let present = book.favorites.values.filter { !$0.isMissing }.map(\.day)
            .filter { days?.contains($0) ?? true }
        for day in present.sorted(by: >) where book.pins[day] == nil || removed[day] != nil {
            do throws(SystemError) {
                if book.pins[day] == nil,
                    let path = try targets.mediaPath(in: targets.dayRecord(of: day))
                {
                    // Before the attempt: one that fails may have made the pin, too.
                    isFlushed = false
                    book.pins[day] = try pins.pin(path, of: day)
                }
                guard removed[day] != nil else { continue }
                // The new pin must be durable before the old one is deleted.
                try flush()
                let pin = try store.reclaim(day, hasPin: book.pins[day] != nil)
                book.pins[day] = book.pins[day] ?? pin
                removed[day] = nil
            } catch {
                outcome.notices.append("\(error): the picture of \(day) is not pinned yet")
            }
        }
    }

    /// Finds the wanted favorites, whose picture a sync is to download; one that is in a pin or in `favorites/` is
    /// copied back at once.
    ///
    /// Favorites with a pin are checked only if `checksAll`, or if they were wanted or their items changed: the pictures of
    /// others were there when they were pinned.
    ///
    /// - Returns: The days of which files were copied back.
    func findWanted(
        _ survey: Survey?, _ wantedBefore: Set<Day>, checksAll: Bool
    ) -> Set<Day> {
        let changed = wantedBefore.union(survey?.reconciliation.changed.map(\.day) ?? [])
        let unchecked = book.favorites.keys.filter {
            checksAll || book.pins[$0] == nil || changed.contains($0)
        }
        // A start checks the favorites of years, nearly all of which have their files.
        let haveFiles = unchecked.mapOnThreads { [targets] in targets.hasFiles(of: $0) }
        let daysWithoutFiles = zip(unchecked, haveFiles).filter { !$1 }.map(\.0).sorted()
        var restored: Set<Day> = []
        for day in daysWithoutFiles {
            do throws(SystemError) {
                let record = try targets.dayRecord(of: day)
                if let record, copyBack(record, from: survey) { restored.insert(day) }
                if try isWanted(day, record) { outcome.wanted.insert(day) }
            } catch {
                // A lack of memory or descriptors is no error of this picture: it is a failure of the scan.
                guard !error.isShortage else {
                    report(error)
                    continue
                }
                outcome.notices.append(
                    "\(error): it is not known whether the picture of the favorite \(day) is here; it is"
                        + " checked again once it can be read")
            }
        }
        return restored
    }

    /// Whether the picture of `day` is certainly missing, also by retention, no copy of it is known, and NASA may have it.
    ///
    /// - Throws: An error of examining the picture, which may be there.
    private func isWanted(_ day: Day, _ record: DayRecord?) throws(SystemError) -> Bool {
        guard let record else {
            // Where the date is a day ahead of UTC, NASA may have published tomorrow's picture; no later one.
            return day.number <= now.dayNumber + 1
        }
        guard let picture = record.picture else { return false }
        return try tree.root.status(picture.path)?.kind != .file
    }

    /// Copies the files of `record` that the mirror lacks back from the pin of its day, else from copies in `favorites/`.
    ///
    /// So an original that a person moved there is a copy from then on. `files` lacks what retention removed.
    ///
    /// - Returns: Whether a file was copied back.
    private func copyBack(_ record: DayRecord, from survey: Survey?) -> Bool {
        let day = record.entry.day
        let copies = survey?.classified.references.filter { $0.day == day && $0.item.kind == .file }
        var sources = (copies ?? []).map(\.name.path)
        if let pin = book.pins[day] {
            sources.insert(Array("\(FavoriteStore.folder)/\(pin)".utf8), at: 0)
        }
        var isRestored = false
        for file in record.files {
            for source in sources {
                attempt { () throws(SystemError) in
                    guard try pins.restore(file, of: record, from: source) else { return }
                    isRestored = true
                    outcome.notices.append(
                        "\(file.path) was missing: restored it from the favorites")
                }
            }
        }
        outcome.changedPictures = outcome.changedPictures || isRestored
        return isRestored
    }
}
