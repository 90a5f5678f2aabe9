internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Pins the pictures of favorites by hard links or copies beside the records, and finds those that are missing.
extension Favorites {
    /// Records the titles, and pins the pictures, that the mirror did not have before.
    ///
    /// A favorite that was removed and has returned leaves the trash; its pin returns if it has no new one.
    func pinPictures() {
        let withoutTitle = contents.favorites.values.filter { $0.title == nil }
        write(withoutTitle.map { withTitle($0) }.filter { $0.title != nil })
        let present = contents.favorites.values.filter { !$0.isMissing }.map(\.day)
        for day in present.sorted(by: >) where contents.pins[day] == nil || removed[day] != nil {
            do throws(SystemError) {
                if contents.pins[day] == nil,
                    let path = try targets.mediaPath(in: targets.dayRecord(of: day))
                {
                    // An attempt that fails may have made the pin.
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

    /// Finds the wanted favorites, whose picture is to be downloaded; lost pictures are restored from their pins.
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

    /// Whether the picture of `day` is certainly missing, and NASA may have it.
    private func isWanted(_ day: Day) throws(SystemError) -> Bool {
        do {
            guard let record = try targets.dayRecord(of: day) else {
                // Where the date is a day ahead of UTC, NASA may have published tomorrow's picture; no later one.
                let tomorrow = Int(now.timeIntervalSince1970) / 86_400 + 1
                return day.number <= tomorrow
            }
            guard let picture = record.picture else { return false }
            return try tree.root.status(picture.path)?.kind != .file
        } catch  where !error.isShortage {
            // A picture that cannot be examined may be there.
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
