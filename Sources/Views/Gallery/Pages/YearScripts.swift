internal import APOD
internal import JSON
internal import Mirror

/// The scripts of one year: `days/2026.js` for all pages that scripts fill, and `words/2026.js` for the search.
///
/// They are data in the form of scripts, because a page that was opened as a file can load nothing else. A script calls a
/// function of `days.js` or `search.js` with an array for each day, such as `["11-20","The Moon","moon.jpg",4]`.
enum YearScripts {
    /// What a script can know of a day beside its texts; `days.js` and `cards.js` use the same bits.
    private struct Marks: OptionSet {
        let rawValue: Int

        static let favorite = Marks(rawValue: 1)
        static let video = Marks(rawValue: 2)
        static let thumbnail = Marks(rawValue: 4)
    }

    // MARK: The scripts

    /// `days/2026.js` with the ``dayLine(_:)`` of each day.
    static func days(of year: Int, _ lines: [UInt8]) -> [UInt8] { call("addDays", year, lines) }
    /// `words/2026.js` with the ``wordLine(_:)`` of each day.
    static func words(of year: Int, _ lines: [UInt8]) -> [UInt8] { call("addWords", year, lines) }

    private static func call(_ function: String, _ year: Int, _ lines: [UInt8]) -> [UInt8] {
        Array("// \(Asset.mark)\n\(function)(\(year), [\n".utf8) + lines + Array("]);\n".utf8)
    }

    // MARK: The line of a day

    /// The line in `days/2026.js`: date, title, picture, ``Marks``, and the label of a card without a picture.
    static func dayLine(_ galleryDay: GalleryDay) -> [UInt8] {
        let marks: Marks = [
            galleryDay.isFavorite ? .favorite : [], galleryDay.isVideo ? .video : [],
            galleryDay.thumbnail == nil ? [] : .thumbnail,
        ]
        var elements: [JSON] = [
            .string(galleryDay.day.monthAndDay), .string(galleryDay.title),
            .string(pictureName(of: galleryDay)), .integer(marks.rawValue),
        ]
        if galleryDay.cover == nil { elements.append(.string(galleryDay.emptyTileLabel)) }
        return line(elements)
    }

    /// The line in `words/2026.js`: date, text, and the names that the search finds.
    static func wordLine(_ galleryDay: GalleryDay) -> [UInt8] {
        let entry = galleryDay.record?.entry
        let names = Set([entry?.credit, entry?.copyright].compactMap(\.self))
        return line([
            .string(galleryDay.day.monthAndDay), .string(entry?.explanation ?? ""),
            .string(names.sorted().joined(separator: " ")),
        ])
    }

    /// The day of a line in `days/2026.js`; `nil` for any other line.
    static func day(ofLine line: Substring, in year: Int) -> Day? {
        line.hasPrefix("[\"") ? Day(iso: "\(year)-\(line.dropFirst(2).prefix(5))") : nil
    }

    /// One array in the array of a script; JavaScript allows a comma after the last one, too.
    private static func line(_ elements: [JSON]) -> [UInt8] {
        Array("\(JSON.array(elements).line),\n".utf8)
    }

    /// The file name of the picture without the day, which the script adds with the directory; empty without a picture.
    private static func pictureName(of galleryDay: GalleryDay) -> String {
        guard let path = galleryDay.original else { return "" }
        let name = Layout.split(path).name.utf8.dropFirst("\(galleryDay.day) ".utf8.count)
        return String(decoding: name, as: UTF8.self).percentEncodedPath
    }
}
