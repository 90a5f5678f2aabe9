internal import APOD
internal import Mirror
internal import Platform

/// Moves removed favorites to the trash, and takes over what the trash has of favorites that return.
///
/// The trash keeps the records and pins of removed favorites for a month, see ``RemovedFavorite``.
extension ReconcileRun {
    /// Reads the removed favorites in the trash; if that fails, what was known of them stays, and all other steps go on.
    func readTrash() {
        do {
            let contents = try store.readTrash()
            memory.trash = contents.favorites.mapValues(\.favorite)
            memory.mustReadTrash = !contents.unreadable.isEmpty
            for (day, error) in contents.unreadable {
                outcome.notices.append(
                    "\(error): the removed favorite \(day) is not known until that can be read")
            }
        } catch  where error.concernsEveryFile {
            outcome.addFailure(error)
        } catch {
            outcome.notices.append(
                "\(error): a removed favorite that returns gets a new record until the trash can be read"
            )
        }
    }

    /// `favorite`, and if it returns from the trash, with the date and the unknown members of its record there.
    func withTrashedMembers(_ favorite: Favorite) -> Favorite {
        guard stored.favorites[favorite.day] == nil, let earlier = memory.trash[favorite.day]
        else { return favorite }
        var favorite = favorite
        favorite.added = earlier.added
        favorite.unknownMembers = earlier.unknownMembers
        return favorite
    }

    /// Moves the record and the pin of `favorite` to the trash.
    func moveToTrash(_ favorite: Favorite) throws(SystemError) {
        memory.mustReadTrash = true
        try store.moveToTrash(favorite, at: now)
        memory.stored.favorites[favorite.day] = nil
        memory.stored.pins[favorite.day] = nil
        outcome.removed.append(favorite)
        outcome.didChangeRecords = true
    }

    /// Takes a favorite that returned out of the trash, with its old pin if it has no new one.
    func takeOutOfTrash(_ day: Day) throws(SystemError) {
        // The new pin must be durable before the old one is deleted.
        try flush()
        let oldPin = try store.takeOutOfTrash(day, hasPin: stored.pins[day] != nil)
        if stored.pins[day] == nil { memory.stored.pins[day] = oldPin }
        memory.trash[day] = nil
    }
}
