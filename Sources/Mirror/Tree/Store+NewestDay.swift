package import APOD
package import FoundationEssentials
internal import JSON
package import Platform

/// Which day is the newest: by NASA, by the records in the tree, and by `latest.json`.
///
/// Each answer obeys ``SyncState/newest(of:within:)``: a day that is dated in the future by mistake is not the newest one.
extension Store {
    /// NASA's newest day in the last sync; in a mirror without `state.json`, the newest recorded day.
    package func newestPublishedDay(at now: Date = Date()) throws -> Day? {
        try knownState().newest ?? newestRecordedDay(at: now)
    }

    /// The newest day in `snapshot` that has a record; `nil` if there is none.
    package func newestDay(in snapshot: TreeSnapshot, at now: Date = Date()) throws -> Day? {
        let lastState = try knownState()
        let recorded = snapshot.recordedInOrder
        return lastState.newest(
            of: recorded, within: try plausibleDates(lastState, recorded: recorded, at: now))
    }

    /// The newest day that has a record, found without a walk over the whole tree; `nil` if there is none.
    ///
    /// Lists one month after the other, the newest first, until one of them has such a day. If `state.json` cannot be read, a
    /// day that NASA has withdrawn counts, too.
    ///
    /// - Throws: ``SystemError`` if a month cannot be listed that may have the newest day: an older day would be taken for it.
    package func newestRecordedDay(at now: Date = Date()) throws(SystemError) -> Day? {
        let state = try knownState()
        let dates = try plausibleDates(state, recorded: [Day](), at: now)
        var month = Month(of: state.newest ?? dates.last ?? .last)
        while true {
            let snapshot = TreeSnapshot(ofMonthOf: month.first, in: tree.root, .records)
            if let error = snapshot.readError(of: month.first) { throw error }
            if let newest = state.newest(of: snapshot.recorded, within: dates) { return newest }
            // No day is before the first month of the archive.
            let earlier = Month(of: month.first.advanced(by: -1))
            guard earlier < month else { return nil }
            month = earlier
        }
    }

    /// The day in `latest.json`, the newest one with a picture or a video; `nil` if the file is missing or damaged.
    ///
    /// A daemon reads it at its start, before it has walked over the tree.
    package func dayInLatestRecord() throws(SystemError) -> Day? {
        let bytes = try ifValid(
            tree.root.read(Layout.latestRecord, limit: Layout.largestRecord))
        return bytes.flatMap { try? JSON(parsing: $0) }?["date"]?.day
    }
}
