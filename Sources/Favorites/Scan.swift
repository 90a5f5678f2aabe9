package import Platform

/// What one look at `favorites/` saw.
package struct Scan: Hashable, Sendable {
    /// What stands at the name `favorites`.
    package enum Place: Hashable, Sendable {
        case folder(FolderPlace)
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
    /// What could not be seen: of what lies at or below such a path the scan proves no absence.
    package let failures: [FolderListing.Failure]
    /// Who may write there, where that was looked up.
    package let permissions: FolderPermissions?

    package init(
        place: Place, items: [FoundItem] = [], failures: [FolderListing.Failure] = [],
        permissions: FolderPermissions? = nil
    ) {
        self.place = place
        self.items = items
        self.failures = failures
        self.permissions = permissions
    }
}
