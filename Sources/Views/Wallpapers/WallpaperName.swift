internal import APOD
internal import Mirror

/// The name of a link in `wallpapers/`: that of its picture, or for a favorite `favorite 2026-11-20 The Moon.jpg`.
struct WallpaperName {
    private static let favoritePrefix = "favorite "

    /// The day in the name; `nil` if there is none, as in the name of a person's own item.
    let day: Day?
    let isOfFavorite: Bool

    init(_ text: String) {
        isOfFavorite = text.hasPrefix(Self.favoritePrefix)
        day = FileName.day(of: text.dropFirst(isOfFavorite ? Self.favoritePrefix.count : 0))
    }

    static func text(forPictureAt path: String, isFavorite: Bool) -> String {
        (isFavorite ? favoritePrefix : "") + Layout.split(path).name
    }
}
