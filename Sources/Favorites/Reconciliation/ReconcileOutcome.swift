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
    /// The favorites that are missing in the mirror: they are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    /// The first thousand unrecognized items.
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    package internal(set) var unrecognizedCount = 0
    /// The seconds until the next scan, if a favorite is missing or something failed.
    package internal(set) var nextScan: Double?
    /// In the order in which they happened.
    package internal(set) var events: [ReconcileEvent] = []
    /// Errors of reading and writing: everything else was done, and the next scan tries again.
    package internal(set) var failures: [SystemError] = []
}
