internal import APOD
internal import JSON
internal import Mirror

/// A favorite of an imported list, with the names of its links where it was exported.
struct ImportedFavorite: Hashable {
    let day: Day
    let names: [FavoriteName]

    /// Reads lines of dates, or the JSON that `favorites export` prints; `nil` if `bytes` are neither.
    static func list(_ bytes: [UInt8]) -> [ImportedFavorite]? {
        if let favorites = (try? JSON(parsing: bytes))?["favorites"] {
            let imported = favorites.elements.map(ImportedFavorite.init)
            return imported.contains(nil) ? nil : imported.compactMap(\.self)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.prefix { $0 != "#" && $0 != " " && $0 != "\t" } }.filter { !$0.isEmpty }
        let days = lines.map { Day(iso: $0) }
        guard !days.contains(nil) else { return nil }
        return days.compactMap(\.self).map { ImportedFavorite(day: $0, names: []) }
    }

    private init(day: Day, names: [FavoriteName]) {
        self.day = day
        self.names = names
    }

    private init?(_ json: JSON) {
        guard let day = json["date"]?.string.flatMap({ Day(iso: $0) }) else { return nil }
        self.init(day: day, names: Favorite.names(json) ?? [])
    }
}
