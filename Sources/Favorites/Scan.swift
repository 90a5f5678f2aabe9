package import Platform

/// What one look at `favorites/` saw.
package struct Scan: Hashable, Sendable {
    /// What stands at the name `favorites`.
    package enum Place: Hashable, Sendable {
        case folder(FileIdentity)
        /// Nothing.
        case missing
        /// A link, a file, a fifo: never followed, never opened.
        case somethingElse
        /// It could not be looked at.
        case unreadable(SystemError)
    }

    package let place: Place
    /// All that lies there at any depth, folders and hidden names left out, in no order.
    package let items: [FoundItem]
    /// Where something could not be seen: a scan with an error proves no absence.
    package let errors: [SystemError]

    package init(place: Place, items: [FoundItem] = [], errors: [SystemError] = []) {
        self.place = place
        self.items = items
        self.errors = errors
    }
}
