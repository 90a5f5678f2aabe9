internal import APOD
internal import JSON
internal import Mirror

/// The scripts of one year: `days/2026.js` for all pages that scripts fill, and `words/2026.js` for the search.
///
/// They are data in the form of scripts, because a page that was opened as a file can load nothing else. A script calls a
/// function of `days.js` or `search.js` with an array for each day, such as `["11-20","The Moon","moon.jpg",4]`.
enum YearScripts {
    /// The line of a day in `days/2026.js`.
    static func dayLine(_ galleryDay: GalleryDay) -> [UInt8] {
        line(titleAndPicture(of: galleryDay))
    }

    /// The day of a line in `days/2026.js`; `nil` for any other line.
    static func day(ofLine line: Substring, in year: Int) -> Day? {
        line.hasPrefix("[\"") ? Day(iso: "\(year)-\(line.dropFirst(2).prefix(5))") : nil
    }

    /// The line of a day in `words/2026.js`.
    static func wordLine(_ galleryDay: GalleryDay) -> [UInt8] { line(texts(of: galleryDay)) }

    /// An element of the array in a script; JavaScript allows a comma after the last element, too.
    private static func line(_ element: JSON) -> [UInt8] { Array("\(element.line),\n".utf8) }

    /// `days/2026.js` with the ``dayLine(_:)`` of each day.
    static func days(of year: Int, _ lines: [UInt8]) -> [UInt8] { call("addDays", year, lines) }
    /// `words/2026.js` with the ``wordLine(_:)`` of each day.
    static func words(of year: Int, _ lines: [UInt8]) -> [UInt8] { call("addWords", year, lines) }

    private static func call(_ function: String, _ year: Int, _ lines: [UInt8]) -> [UInt8] {
        Array("// \(Asset.mark)\n\(function)(\(year), [\n".utf8) + lines + Array("]);\n".utf8)
    }

    /// The array of a day for `addDays`: date, title, picture, marks, and the label of a card without a picture.
    ///
    /// The marks are the sum of 1 for a favorite, 2 for a video and 4 for a thumbnail.
    private static func titleAndPicture(of galleryDay: GalleryDay) -> JSON {
        let marks =
            (galleryDay.isFavorite ? 1 : 0) + (galleryDay.isVideo ? 2 : 0)
            + (galleryDay.thumbnail == nil ? 0 : 4)
        let label: [JSON] = galleryDay.cover == nil ? [.string(galleryDay.emptyTileLabel)] : []
        let members: [JSON] = [
            .string(galleryDay.day.monthAndDay), .string(galleryDay.title),
            .string(galleryDay.original.map { name(of: $0, galleryDay.day) } ?? ""),
            .integer(marks),
        ]
        return .array(members + label)
    }

    /// The file name of a picture without the day: the script knows the day, and adds it and the directory.
    private static func name(of path: String, _ day: Day) -> String {
        let name = Layout.split(path).name.utf8.dropFirst("\(day) ".utf8.count)
        return String(decoding: name, as: UTF8.self).percentEncodedPath
    }

    /// The array of a day for `addWords`: date, text, and the names that the search finds.
    private static func texts(of galleryDay: GalleryDay) -> JSON {
        let entry = galleryDay.record?.entry
        let (credit, copyright) = (entry?.credit, entry?.copyright)
        let otherHolder = copyright == credit ? nil : copyright
        let names = [credit, otherHolder].compactMap(\.self)
        return [
            .string(galleryDay.day.monthAndDay), .string(entry?.explanation ?? ""),
            .string(names.sorted().joined(separator: " ")),
        ]
    }
}
