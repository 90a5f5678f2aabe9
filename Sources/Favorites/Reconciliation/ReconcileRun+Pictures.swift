internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Restores lost pictures of favorites, and finds the wanted favorites: those whose picture a sync must download.
///
/// A picture may be lost because a person deleted or replaced it, or because `--keep` removed it before its day became a
/// favorite. It comes back from its pin, which is a second copy of it, or from a copy in `favorites/`.
extension ReconcileRun {
    /// What the check of one favorite found and left.
    private struct PictureCheck {
        /// Whether a picture is missing that must be downloaded.
        var isWanted = false
        /// Whether the favorite may get a new pin: its picture was copied back, or its old pin was dropped.
        var isUnpinned = false
    }

    /// Checks whether the mirror has the pictures of favorites, and restores what it lacks; wanted ones go to the outcome.
    ///
    /// Unless `checksAll`, a favorite with a pin is checked only if it was wanted before, or if `survey` changed its record.
    ///
    /// - Returns: The days whose pictures are to be pinned now.
    func checkPictures(of survey: Survey?, checksAll: Bool) -> Set<Day> {
        memory.editedPaths = memory.editedPaths.filter { stored.favorites[$0.key] != nil }
        let changed = memory.wanted.union(survey?.reconciliation.changed.map(\.day) ?? [])
        let daysToCheck = stored.favorites.keys.filter {
            checksAll || stored.pins[$0] == nil || changed.contains($0)
        }.sorted()
        // Two threads do this, because the first run after a start checks the favorites of years.
        let states = daysToCheck.mapOnTwoThreads { [mirrored] day in
            Result { () throws(SystemError) in try mirrored.pictureState(of: day) }
        }
        let copies = survey.map(copiesByDay) ?? [:]
        var unpinned: Set<Day> = []
        for (day, state) in zip(daysToCheck, states) {
            memory.editedPaths[day] = nil
            do throws(SystemError) {
                let check = try repair(day, in: state.get(), copies: copies[day] ?? [])
                if check.isWanted { outcome.wanted.insert(day) }
                if check.isUnpinned { unpinned.insert(day) }
            } catch  where error.concernsEveryFile {
                // A lack of memory or descriptors is a failure of the whole run, which is then repeated.
                outcome.addFailure(error)
            } catch {
                outcome.notices.append(
                    "\(error): it is not known whether the picture of the favorite \(day) is here; it is"
                        + " checked again once it can be read")
            }
        }
        return unpinned
    }

    /// The paths of the files in `favorites/` that refer to days.
    private func copiesByDay(_ survey: Survey) -> [Day: [[UInt8]]] {
        let files = survey.classified.references.filter { $0.item.kind == .file }
        return Dictionary(grouping: files, by: \.day).mapValues { $0.map(\.name.path) }
    }

    /// Repairs the pictures of the favorite `day`, which are in `state`; `copies` are the paths of its files in `favorites/`.
    private func repair(
        _ day: Day, in state: MirroredFavorites.PictureState, copies: [[UInt8]]
    ) throws(SystemError) -> PictureCheck {
        switch state {
        case .complete: return PictureCheck()
        case .completeWithOutdatedPin(let record):
            return PictureCheck(isUnpinned: try dropOutdatedPin(of: record))
        case .withoutRecord: return PictureCheck(isWanted: mayBePublished(day))
        case .incomplete(let record):
            restoreRedirectPage(of: record)
            let isRestored = copyBack(record, from: pinPaths(of: day) + copies)
            if isRestored { outcome.didRestorePictures = true }
            memory.editedPaths[day] = try mirrored.editedPath(in: record)
            return PictureCheck(
                isWanted: try mirrored.lacksMainFile(of: record), isUnpinned: isRestored)
        }
    }

    /// Whether NASA may have published `day` by now: the date is that of UTC, and may be one less than the local date.
    private func mayBePublished(_ day: Day) -> Bool { day.number <= now.dayNumber + 1 }

    private func restoreRedirectPage(of record: DayRecord) {
        guard let page = attempt(try tree.restoreRedirectPage(of: record)) ?? nil else { return }
        outcome.notices.append("\(page) was missing: wrote it again")
    }

    private func pinPaths(of day: Day) -> [[UInt8]] {
        stored.pins[day].map { [Array(FavoriteStore.path(ofPin: $0).utf8)] } ?? []
    }

    /// Copies the files of `record` that the mirror lacks back from the first of `sources` that has the recorded contents.
    ///
    /// So a person may move a picture from `pictures/` to `favorites/`: the mirror makes a copy in `pictures/`. If retention
    /// had removed a file, the next sync records that it is back. What a person has put in place of a file moves to `damaged/`.
    ///
    /// - Returns: Whether a file was copied back.
    func copyBack(_ record: DayRecord, from sources: [[UInt8]]) -> Bool {
        let day = record.entry.day
        // A sync or a verification may be replacing the same files, or a sync may have done so since the record was read.
        let hasClaim = mirror.claims.claim(day)
        defer { if hasClaim { mirror.claims.release(day) } }
        let mayReplace = hasClaim && (try? mirror.record(of: day)) == record
        var isRestored = false
        for file in record.allFiles {
            let isReplaced = !tree.root.isCertainlyMissing(file.path)
            // What is at the path of a removed file never was the mirror's: a sync moves it to `aside/`. If nobody can tell what
            // is there, it stays.
            if isReplaced,
                !mayReplace || file.removed != nil || (try? tree.root.status(file.path)) == nil
            {
                continue
            }
            for source in sources
            where attempt(
                try pins.restore(file, of: record, from: source, isReplaced: isReplaced)) == true
            {
                outcome.notices.append(
                    isReplaced
                        ? "\(file.path) was changed: moved it to \(Layout.damaged), and restored the original from"
                            + " the favorites"
                        : "\(file.path) was missing: restored it from the favorites")
                isRestored = true
                break
            }
        }
        return isRestored
    }
}
