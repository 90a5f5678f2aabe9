package import Platform

/// What one look at `favorites/` saw.
package struct Scan: Hashable, Sendable {
    /// What stands at the name `favorites`.
    package enum Place: Hashable, Sendable {
        case folder(DirectoryIdentity)
        /// Nothing.
        case missing
        /// A link, a file, a fifo: never followed, never opened.
        case somethingElse
        /// It could not be looked at.
        case unreadable(SystemError)
    }

    package let place: Place
    /// All that lies there at any depth, folders and hidden names left out, in no order.
    package let items: [ScannedItem]
    /// What could not be seen: of what lies at or below such a path the scan proves no absence.
    package let failures: [DirectoryListing.Failure]
    /// Who may write there, where that was looked up.
    package let permissions: DirectoryAccess?

    package init(
        place: Place, items: [ScannedItem] = [], failures: [DirectoryListing.Failure] = [],
        permissions: DirectoryAccess? = nil
    ) {
        self.place = place
        self.items = items
        self.failures = failures
        self.permissions = permissions
    }
}
