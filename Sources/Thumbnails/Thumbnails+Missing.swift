package import APOD
package import FoundationEssentials
package import Mirror

/// Which days need a thumbnail: those without one of their current picture.
extension Thumbnails {
    /// The days that need a thumbnail now, newest first.
    ///
    /// A rejected picture needs none; another one that failed needs one when its retry is due at `now`, or
    /// always if `ignoresBackoff`.
    package func missing(
        in snapshot: TreeSnapshot, at now: Date = Date(), ignoresBackoff: Bool = false
    ) throws -> [Day] {
        let complete = try store.completeDays(snapshot)
        return try coverage(of: snapshot, complete: complete).missing.filter { day in
            guard let failure = try recordedFailure(of: day) else {
                // A record that cannot be read now may name a picture.
                return (try? store.record(of: day)?.picture != nil) ?? true
            }
            guard let retry = failure.retry else { return false }
            return ignoresBackoff || retry.due(at: now) <= now
        }.sorted(by: >)
    }

    /// When the first failed picture of the days `missing` is due; `nil` if none of them waits for a retry.
    package func nextRetry(of missing: [Day], after now: Date = Date()) -> Date? {
        let failures = failedPictures.failures
        return missing.compactMap { failures[$0]?.retry?.due(at: now) }.min()
    }

    /// Counts the days in `snapshot` with and without a thumbnail; `complete` are those with all files.
    package func count(in snapshot: TreeSnapshot, complete: Set<Day>) throws -> ThumbnailCount {
        let coverage = try coverage(of: snapshot, complete: complete)
        let rejected = try coverage.missing.count { day in
            try recordedFailure(of: day).map { $0.retry == nil } ?? false
        }
        return ThumbnailCount(
            complete: coverage.present.count, missing: coverage.missing.count - rejected,
            rejected: rejected)
    }

    /// The days with a thumbnail of their current picture, and those that lack it.
    private struct Coverage {
        let present: Set<Day>
        let missing: Set<Day>
    }

    private func coverage(of snapshot: TreeSnapshot, complete: Set<Day>) throws -> Coverage {
        let illustrated = snapshot.illustrated
        let present = snapshot.thumbnails.intersection(illustrated)
        let replaced = try store.previousNames().filter { !$0.hasSuffix(".json") }
            .compactMap { FileName.day(of: $0) }
        let stale = try present.intersection(replaced).filter { try isStale($0) }
        // The picture of a day that is not complete is a user's, or not published yet.
        let absent = illustrated.subtracting(present).intersection(complete)
        return Coverage(present: present.subtracting(stale), missing: absent.union(stale))
    }

    /// The recorded failure of the current picture of `day`; `nil` if that has not failed.
    private func recordedFailure(of day: Day) throws -> FailedPictures.Failure? {
        guard let failure = failedPictures.failures[day] else { return nil }
        return try store.record(of: day)?.picture?.sha256 == failure.sha256 ? failure : nil
    }

    /// Whether the thumbnail of `day` is that of another picture, which its record has no longer.
    private func isStale(_ day: Day) throws -> Bool {
        guard let picture = try store.record(of: day)?.picture else { return false }
        return originalSHA256(of: Layout.thumbnail(of: day)) != picture.sha256
    }
}
