internal import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform

/// A link, a file or another item in `favorites/`, but no folder, as one ``Scan`` found it.
///
/// ``Classifier`` finds out which day the item makes a favorite. If two scans find equal values, the item need not be read again,
/// because its times show no change; but see ``hasJustChanged(at:)``.
package struct ScannedItem: Hashable, Sendable {
    package let name: FavoriteName
    package let identity: FileIdentity
    /// The target of a symbolic link, or the status of any other item.
    let details: DirectoryListing.Item.Details
}

extension ScannedItem {
    /// `nil` if the path of `item` is no valid ``FavoriteName``.
    init?(_ item: DirectoryListing.Item) {
        guard let name = FavoriteName(item.path) else { return nil }
        self.init(name: name, identity: item.identity, details: item.details)
    }

    package var kind: FileStatus.Kind { status?.kind ?? .symbolicLink }

    /// The target of a symbolic link, empty if it is too long for the kernel; `nil` for any other item.
    package var linkTarget: [UInt8]? { if case .link(let text) = details { text } else { nil } }

    /// The status of the item; `nil` for a symbolic link.
    var status: FileStatus? { if case .other(let status) = details { status } else { nil } }

    /// In bytes; 0 for a symbolic link.
    var size: Int { status?.size ?? 0 }

    /// The date with which the name begins, as in `2026-11-20 edited.jpg`; `nil` if it begins with none.
    var namedDay: Day? { FileName.day(of: name.last) }

    // MARK: The last change

    /// The kernel rounds times down by up to 10 milliseconds, the longest time between two ticks of its clock.
    private static let longestTick = 0.01

    /// The time since 1970 of the last change; zero for a symbolic link.
    private var lastChange: Duration { status?.changeTime ?? .zero }

    /// The latest time at which the item may have changed.
    var latestPossibleChange: Date {
        Date(timeIntervalSince1970: lastChange / .seconds(1) + Self.longestTick)
    }

    /// Whether the last change was within two seconds of `now`, so that one more change may leave the times as they are.
    func hasJustChanged(at now: Date) -> Bool {
        let second = Int(now.timeIntervalSince1970)
        // A range, because the difference of the two times could overflow: the disk may have any time.
        return (second - 2...second + 2).contains(Int(lastChange.components.seconds))
    }
}
