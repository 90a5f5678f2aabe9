package import APOD
package import FoundationEssentials
package import Mirror

/// Which days need a thumbnail: those whose current picture has none.
///
/// A day is illustrated if it has the file of a picture, and complete with all files of its record. A rejected picture is
/// one of which no thumbnail can be made.
extension Thumbnails {
    /// The days that need a thumbnail now, newest first.
    ///
    /// A rejected picture needs none; another one that failed needs one when its retry is due at `now`, or
    /// always if `ignoresBackoff`.
    package func daysToMake(
        in snapshot: TreeSnapshot, at now: Date = Date(), ignoresBackoff: Bool = false
    ) throws -> [Day] {
        let complete = try store.completeDays(snapshot, store.state())
        return try daysWithoutThumbnail(in: snapshot, complete: complete).filter { day in
            guard let failure = try recordedFailure(of: day) else {
                // If reading fails, the record may name a picture: then making the thumbnail reports the error.
                do { return try store.record(of: day)?.picture != nil } catch { return true }
            }
            return failure.isDue(at: now) || ignoresBackoff && !failure.isRejection
        }.sorted(by: >)
    }

    /// When the first retry of the days `missing` is due; `nil` if none of them waits for one.
    ///
    /// Only right after these days were tried: their recorded failures must be of their current pictures.
    package func nextRetry(of missing: [Day], after now: Date = Date()) -> Date? {
        let failures = failedPictures.failures
        return missing.compactMap { failures[$0]?.retry?.due(at: now) }.min()
    }

    /// Counts the days in `snapshot` with and without a thumbnail, for `status`, which has the `complete` days.
    ///
    /// Only records of failed and replaced pictures are read. So on a complete day of a video, a picture that a user put there
    /// counts as missing.
    package func count(in snapshot: TreeSnapshot, complete: Set<Day>) throws -> ThumbnailCount {
        let missing = try daysWithoutThumbnail(in: snapshot, complete: complete)
        let rejected = try missing.count { day in
            try recordedFailure(of: day)?.isRejection ?? false
        }
        let present = snapshot.thumbnails.intersection(snapshot.illustrated)
        return ThumbnailCount(
            made: present.subtracting(missing).count, missing: missing.count - rejected,
            rejected: rejected)
    }

    /// The illustrated days without a thumbnail, or with that of another picture.
    private func daysWithoutThumbnail(
        in snapshot: TreeSnapshot, complete: Set<Day>
    ) throws -> Set<Day> {
        let illustrated = snapshot.illustrated
        // The picture of a day that is not complete is a user's, or not published yet.
        let absent = illustrated.subtracting(snapshot.thumbnails).intersection(complete)
        // Thumbnails are read only of days whose picture was replaced: it has a name in `.apod-mirror/previous/`.
        let replaced = try store.previousNames().filter { !$0.hasSuffix(".json") }
            .compactMap { FileName.day(of: $0) }
        return try absent.union(
            snapshot.thumbnails.intersection(illustrated).intersection(replaced).filter { day in
                guard let picture = try store.record(of: day)?.picture else { return false }
                return originalSHA256(storedIn: Layout.thumbnail(of: day)) != picture.sha256
            })
    }

    /// The recorded failure of the current picture of `day`; `nil` if that has not failed.
    private func recordedFailure(of day: Day) throws -> FailedPictures.Failure? {
        guard let failure = failedPictures.failures[day] else { return nil }
        return try store.record(of: day)?.picture?.sha256 == failure.sha256 ? failure : nil
    }
}

package struct ThumbnailCount: Hashable, Sendable {
    package let made: Int
    /// Not made yet, or to be retried.
    package let missing: Int
    /// No thumbnail can be made.
    package let rejected: Int
}
