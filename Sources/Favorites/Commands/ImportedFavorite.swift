internal import APOD
internal import JSON
internal import Mirror

/// A favorite of a list that `favorites import` reads.
struct ImportedFavorite {
    let day: Day
    /// The names of its links where it was exported; empty in a list of dates.
    let names: [FavoriteName]

    /// Reads the JSON that `favorites export` prints, or a date a line.
    ///
    /// What follows a date after a space or `#` is ignored, as are lines without a date before `#`. `nil` if any other line
    /// does not begin with a date, or a favorite of the JSON has none.
    static func list(_ bytes: [UInt8]) -> [ImportedFavorite]? {
        let bytes = bytes.withoutByteOrderMark
        if let favorites = (try? JSON(parsing: Array(bytes)))?["favorites"] {
            let imported = favorites.elements.compactMap { json in
                json["date"]?.day.map {
                    ImportedFavorite(day: $0, names: Favorite.names(json) ?? [])
                }
            }
            return imported.count == favorites.elements.count ? imported : nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.drop(while: \.isWhitespace).prefix { $0 != "#" && !$0.isWhitespace } }
            .filter { !$0.isEmpty }
        let days = lines.compactMap { Day(iso: $0) }
        guard days.count == lines.count else { return nil }
        return days.map { ImportedFavorite(day: $0, names: []) }
    }
}

extension [UInt8] {
    /// The bytes without the mark with which editors of Windows begin a text.
    fileprivate var withoutByteOrderMark: ArraySlice<UInt8> {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    }
}
