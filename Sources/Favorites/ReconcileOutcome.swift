package import APOD
package import FoundationEssentials

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
    package internal(set) var notUnderstood: [NotUnderstood] = []
    /// When to look again, where something that is missed is to be believed gone.
    package internal(set) var nextLook: Date?
    /// Sentences for the log: what changed, and what stands in the way.
    package internal(set) var messages: [String] = []
}
