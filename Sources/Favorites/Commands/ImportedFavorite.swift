internal import APOD
internal import JSON
internal import Mirror

/// A favorite of an imported list, with the names of its links where it was exported.
struct ImportedFavorite {
    let day: Day
    let names: [FavoriteName]

    /// Reads lines of dates, or the JSON that `favorites export` prints; `nil` if `bytes` are neither.
    static func list(_ bytes: [UInt8]) -> [ImportedFavorite]? {
        if let favorites = (try? JSON(parsing: bytes))?["favorites"] {
            let imported = favorites.elements.compactMap { json in
                json["date"]?.day
                    .map { ImportedFavorite(day: $0, names: Favorite.names(json) ?? []) }
            }
            return imported.count == favorites.elements.count ? imported : nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.prefix { $0 != "#" && $0 != " " && $0 != "\t" } }.filter { !$0.isEmpty }
        let days = lines.compactMap { Day(iso: $0) }
        guard days.count == lines.count else { return nil }
        return days.map { ImportedFavorite(day: $0, names: []) }
    }
}
