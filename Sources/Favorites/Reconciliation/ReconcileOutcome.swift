package import APOD
package import Platform

/// The result of one reconciliation of `favorites/` with the records.
package struct ReconcileOutcome: Sendable {
    /// All favorites, including those that are held.
    package internal(set) var favorites: [Day: Favorite] = [:]
    /// Whether a record was written or removed.
    package internal(set) var hasChanges = false
    package internal(set) var added: [Favorite] = []
    package internal(set) var removed: [Favorite] = []
    /// The favorites whose picture the mirror does not have: they are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    /// Whether a missing picture was copied back to `pictures/`.
    package internal(set) var changedPictures = false
    /// The seconds until the next scan, if a favorite is missing or a file was not read; failures have their own delay.
    package internal(set) var nextScan: Double?

    /// The changes of the list of favorites, for the log: a sentence each, once they are durable.
    package internal(set) var changes: [String] = []
    /// What else was done or found, for the log: a sentence each.
    package internal(set) var notices: [String] = []
    /// Errors of reading and writing, with which single steps failed: the next scan tries again.
    package internal(set) var failures: [SystemError] = []
}
