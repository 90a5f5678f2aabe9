internal import APOD
internal import JSON
internal import Mirror

/// The scripts of one year: `days/2026.js` for all pages that scripts fill, and `words/2026.js` for the search.
///
/// A page that was opened as a file can load its data only as scripts. A script calls a function of `days.js` or `search.js`
/// with an array for each day, which is shorter than an object.
enum YearScripts {
    /// The line of a day in `days/2026.js`.
    static func dayLine(_ galleryDay: GalleryDay) -> [UInt8] {
        line(titleAndPicture(of: galleryDay))
    }
    /// The line of a day in `words/2026.js`.
    static func wordLine(_ galleryDay: GalleryDay) -> [UInt8] { line(texts(of: galleryDay)) }

    // A comma after the last element is allowed.
    private static func line(_ arguments: JSON) -> [UInt8] { Array("\(arguments.line),\n".utf8) }

    /// `days/2026.js` with the lines of all days.
    static func days(of year: Int, _ lines: [UInt8]) -> [UInt8] { call("addDays", year, lines) }
    /// `words/2026.js` with the lines of all days.
    static func words(of year: Int, _ lines: [UInt8]) -> [UInt8] { call("addWords", year, lines) }

    private static func call(_ function: String, _ year: Int, _ lines: [UInt8]) -> [UInt8] {
        Array("// \(Asset.mark)\n\(function)(\(year), [\n".utf8) + lines + Array("]);\n".utf8)
    }

    /// The arguments of `addDays` in `days.js`: month and day, title, picture, the sum of its marks (1 for a favorite, 2 for a
    /// video, 4 for a thumbnail), and the label of a card without a picture.
    private static func titleAndPicture(of galleryDay: GalleryDay) -> JSON {
        let marks =
            (galleryDay.isFavorite ? 1 : 0) + (galleryDay.isVideo ? 2 : 0)
            + (galleryDay.thumbnail == nil ? 0 : 4)
        let label: [JSON] = galleryDay.cover == nil ? [.string(galleryDay.emptyTileLabel)] : []
        let standard: [JSON] = [
            .string(galleryDay.day.monthAndDay), .string(galleryDay.title),
            .string(galleryDay.original.map { name(of: $0, galleryDay.day) } ?? ""),
            .integer(marks),
        ]
        return .array(standard + label)
    }

    /// The file name of a picture without the day, as the script knows directory and day: a record names no other.
    private static func name(of path: String, _ day: Day) -> String {
        let name = Layout.split(path).name.utf8.dropFirst("\(day) ".utf8.count)
        return String(decoding: name, as: UTF8.self).percentEncodedPath
    }

    /// The arguments of `addWords` in `search.js`: month and day, text, and whom the search finds.
    private static func texts(of galleryDay: GalleryDay) -> JSON {
        let entry = galleryDay.record?.entry
        let (credit, copyright) = (entry?.credit, entry?.copyright)
        // They are often the same.
        let names = [credit, copyright == credit ? nil : copyright].compactMap(\.self)
        return [
            .string(galleryDay.day.monthAndDay), .string(entry?.explanation ?? ""),
            .string(names.sorted().joined(separator: " ")),
        ]
    }
}
