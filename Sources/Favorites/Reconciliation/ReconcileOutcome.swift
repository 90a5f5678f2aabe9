package import APOD
package import Platform

/// The result of one reconciliation of `favorites/` with the records of favorites, see ``Favorites``.
package struct ReconcileOutcome: Sendable {
    /// All favorites, including those that are held: their items are gone, but that may be an accident.
    package internal(set) var favorites: [Day: Favorite] = [:]
    /// The new favorites whose records were written.
    package internal(set) var added: [Favorite] = []
    /// The favorites whose records were moved to the trash.
    package internal(set) var removed: [Favorite] = []
    /// The favorites whose picture the mirror does not have; their days are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    /// The items in `favorites/` that name no day.
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    /// Whether a record was written, or moved to the trash.
    package internal(set) var didChangeRecords = false
    /// Whether a missing picture was copied back to `pictures/`.
    package internal(set) var didRestorePictures = false
    /// When the next scan is due, because a favorite is missing or a file was not read; ``failures`` do not count.
    package internal(set) var timeUntilNextScan: Duration?

    // MARK: For the log

    /// The favorites that were added and removed: a sentence each, as soon as their records are durable.
    package internal(set) var changeLines: [String] = []
    /// What else was done or found: a sentence each.
    package internal(set) var notices: [String] = []
    /// The errors with which single steps failed; the next scan tries these steps again.
    package internal(set) var failures: [SystemError] = []

    /// Asks for the next scan within `time`, unless an earlier scan was asked for.
    mutating func scanAgain(within time: Duration) {
        timeUntilNextScan = min(timeUntilNextScan ?? time, time)
    }

    /// Adds an error to ``failures``, but only once: on a full disk, all writes fail with the same error.
    mutating func addFailure(_ error: SystemError) {
        if !failures.contains(error) { failures.append(error) }
    }
}
