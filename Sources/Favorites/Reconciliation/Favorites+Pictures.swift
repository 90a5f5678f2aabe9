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
        let withoutTitle = contents.favorites.values.filter { $0.title == nil }
        write(withoutTitle.map { withTitle($0) }.filter { $0.title != nil })
    }

    /// Pins the pictures of present favorites that have no pin, the newest days first.
    ///
    /// A favorite of ``removed`` that has returned leaves the trash, with its pin if it has no new one.
    func pinPictures() {
        let present = contents.favorites.values.filter { !$0.isMissing }.map(\.day)
        for day in present.sorted(by: >) where contents.pins[day] == nil || removed[day] != nil {
            do throws(SystemError) {
                if contents.pins[day] == nil,
                    let path = try targets.mediaPath(in: targets.dayRecord(of: day))
                {
                    // Before the attempt: one that fails may have made the pin, too.
                    isFlushed = false
                    contents.pins[day] = try pins.pin(path, of: day)
                }
                guard removed[day] != nil else { continue }
                // The new pin must be durable before the old one is deleted.
                try flush()
                let pin = try store.reclaim(day, hasPin: contents.pins[day] != nil)
                contents.pins[day] = contents.pins[day] ?? pin
                removed[day] = nil
            } catch {
                outcome.events.append(.pictureNotPinned(day, error))
            }
        }
    }

    /// Finds the wanted favorites, whose picture a sync is to download; one with a pin is restored at once.
    ///
    /// Favorites with a pin are checked only if `checksAll`: their pictures were there when they were pinned.
    func findWanted(checksAll: Bool) {
        let unchecked = contents.favorites.keys.filter { checksAll || contents.pins[$0] == nil }
        for day in unchecked.sorted() {
            attempt { () throws(SystemError) in
                guard try isWanted(day) else { return }
                outcome.wanted.insert(day)
                if try restorePicture(of: day) { outcome.wanted.remove(day) }
            }
        }
    }

    /// Whether the picture of `day` is certainly missing, also by retention, and NASA may have it.
    private func isWanted(_ day: Day) throws(SystemError) -> Bool {
        do {
            guard let record = try targets.dayRecord(of: day) else {
                // Where the date is a day ahead of UTC, NASA may have published tomorrow's picture; no later one.
                return day.number <= now.dayNumber + 1
            }
            guard let picture = record.picture else { return false }
            return try tree.root.status(picture.path)?.kind != .file
        } catch  where !error.isShortage {
            // A picture that cannot be examined may be there. A lack of memory or descriptors is no error of
            // this picture: it is a failure of the scan.
            outcome.events.append(.pictureNotFound(day, error))
            return false
        }
    }

    /// Restores the picture of `day` from its pin; returns whether it could be.
    private func restorePicture(of day: Day) throws(SystemError) -> Bool {
        guard let pin = contents.pins[day],
            let picture = try targets.dayRecord(of: day)?.picture,
            try pins.restore(picture, of: day, from: pin)
        else { return false }
        outcome.events.append(.pictureRestored(path: picture.path))
        return true
    }
}
