package import APOD
package import Platform

/// The result of one reconciliation of `favorites/` with the records of favorites, see ``Favorites``.
package struct ReconcileOutcome: Sendable {
    /// All favorites, including those that are held: their items are gone, but that may be an accident.
    package internal(set) var favorites: [Day: Favorite] = [:]
    /// Whether a record was written or removed.
    package internal(set) var hasChanges = false
    package internal(set) var added: [Favorite] = []
    package internal(set) var removed: [Favorite] = []
    /// The favorites whose picture the mirror does not have; their days are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    /// Whether a missing picture was copied back to `pictures/`.
    package internal(set) var changedPictures = false
    /// The seconds until the next scan, if a favorite is missing or a file was not read; not for ``failures``.
    package internal(set) var nextScan: Double?

    // MARK: For the log

    /// The favorites that were added and removed: a sentence each, after they have become durable.
    package internal(set) var changes: [String] = []
    /// What else was done or found: a sentence each.
    package internal(set) var notices: [String] = []
    /// The errors with which single steps failed; the next scan tries these steps again.
    package internal(set) var failures: [SystemError] = []

    /// Asks for the next scan in `seconds` seconds, unless an earlier scan was asked for.
    mutating func scanAgain(within seconds: Double) {
        nextScan = min(nextScan ?? seconds, seconds)
    }

    /// Adds an error to ``failures``, but only once: on a full disk, all writes fail with the same error.
    mutating func addFailure(_ error: SystemError) {
        if !failures.contains(error) { failures.append(error) }
    }
}
