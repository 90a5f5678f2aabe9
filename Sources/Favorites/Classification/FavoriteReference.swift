package import APOD

/// Something in `favorites/` that stands for a day.
package struct FavoriteReference: Hashable, Sendable {
    package let name: FavoriteName
    package let day: Day
    package let via: ReferenceKind
    /// When it was made, where it leads through `latest.*`.
    package let latestMade: Int?

    package init(
        _ name: FavoriteName, _ day: Day, _ via: ReferenceKind = .link, latestMade: Int? = nil
    ) {
        self.name = name
        self.day = day
        self.via = via
        self.latestMade = latestMade
    }
}
