package import APOD
package import Platform

/// What one look at `favorites/` brought.
package struct ReconcileOutcome: Sendable {
    /// All favorites, those that are held too.
    package internal(set) var favorites: [Day: Favorite] = [:]
    /// Whether any record is another one than before, or is gone.
    package internal(set) var hasChanges = false
    package internal(set) var added: [Favorite] = []
    package internal(set) var returned: [Favorite] = []
    /// No favorites any more.
    package internal(set) var vanished: [Favorite] = []
    /// Held from now on; ``favorites`` tells of all.
    package internal(set) var held: [Favorite] = []
    /// The favorites that the mirror does not have: they are to be fetched first.
    package internal(set) var wanted: Set<Day> = []
    package internal(set) var notUnderstood: [UnrecognizedItem] = []
    /// How much was not understood: of more than a thousand only those are listed.
    package internal(set) var notUnderstoodCount = 0
    /// When to look again, in seconds, where something that is missed is to be believed gone, or something
    /// failed.
    package internal(set) var nextLook: Double?
    /// Sentences for the log about what became a favorite and what is none any more.
    package internal(set) var changes: [String] = []
    /// Sentences for the log about what was mended, and what stands in the way.
    package internal(set) var messages: [String] = []
    /// What could not be read or written; all else was done, and this is tried again.
    package internal(set) var failures: [SystemError] = []

    /// All sentences.
    package var lines: [String] { changes + messages }
}
