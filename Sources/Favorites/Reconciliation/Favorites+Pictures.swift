internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Pins the pictures of favorites, and finds those that the mirror lacks.
extension Favorites {
    /// Pins the pictures, and records the titles, that the mirror did not have before.
    ///
    /// A favorite that was removed and has returned gets its pin back from the trash.
    func pinPictures() {
        write(
            contents.favorites.values.filter { $0.title == nil }.map { titled($0) }
                .filter { $0.title != nil })
        let unpinned = contents.favorites.values.filter {
            contents.pins[$0.day] == nil && !$0.isMissing
        }
        for day in unpinned.map(\.day).sorted(by: >) {
            do throws(SystemError) {
                if let path = try targets.media(targets.dayRecord(of: day)) {
                    isFlushed = false
                    contents.pins[day] = try pins.pin(day, path)
                }
                guard contents.removed[day] != nil else { continue }
                // The new pin must be durable before the old one is deleted.
                try flush()
                let pin = try store.reclaim(day, hasPin: contents.pins[day] != nil)
                contents.pins[day] = contents.pins[day] ?? pin
                contents.removed[day] = nil
            } catch {
                outcome.events.append(.pictureNotPinned(day, error))
            }
        }
    }

    /// Finds the favorites that are missing in the mirror, and restores missing pictures from their pins.
    ///
    /// Favorites with a pin are checked only if `checksAll`: their pictures were there when they were pinned.
    func findWanted(checksAll: Bool) {
        let unchecked = contents.favorites.keys.filter { checksAll || contents.pins[$0] == nil }
        for day in unchecked.sorted() {
            attempt { () throws(SystemError) in try findWanted(day) }
        }
    }

    private func findWanted(_ day: Day) throws(SystemError) {
        let picture: PictureRecord
        do {
            guard let record = try targets.dayRecord(of: day) else {
                // NASA has nothing on later days than tomorrow, which may have begun elsewhere.
                let tomorrow = Int(now.timeIntervalSince1970) / 86_400 + 1
                if day.number <= tomorrow { outcome.wanted.insert(day) }
                return
            }
            guard let recorded = record.picture,
                try tree.root.status(recorded.path)?.kind != .file
            else { return }
            picture = recorded
        } catch  where !error.isShortage {
            // A picture that cannot be examined may be there.
            outcome.events.append(.pictureNotFound(day, error))
            return
        }
        outcome.wanted.insert(day)
        guard let pin = contents.pins[day],
            try pins.restorePicture(picture, of: day, pin: pin)
        else { return }
        outcome.wanted.remove(day)
        outcome.events.append(.pictureRestored(path: picture.path))
    }
}
