internal import APOD
internal import JSON
internal import Mirror

/// The scripts of one year: `days/2026.js` for all pages that scripts fill, and `words/2026.js` for the search.
struct YearScripts {
    private(set) var days: DataScript
    private(set) var words: DataScript

    init(_ year: Int) {
        days = DataScript("addDays", year)
        words = DataScript("addWords", year)
    }

    mutating func add(_ galleryDay: GalleryDay) {
        days.add { Self.data(of: galleryDay.fitting($0)) }
        words.add { Self.words(of: galleryDay.fitting($0)) }
    }

    /// Month and day, title, picture, and marks.
    private static func data(of galleryDay: GalleryDay) -> JSON {
        let marks =
            (galleryDay.isFavorite ? 1 : 0) + (galleryDay.isVideo ? 2 : 0)
            + (galleryDay.thumbnail == nil ? 0 : 4)
        return [
            .string(String(galleryDay.day.description.suffix(5))), .string(galleryDay.title),
            .string(galleryDay.original.map { name(of: $0, galleryDay.day) } ?? ""),
            .integer(marks),
        ]
    }

    /// The picture without what its directory and its day say; all of its address if it is elsewhere.
    private static func name(of path: String, _ day: Day) -> String {
        guard Layout.isPath(path, inPicturesOf: day) else { return "../\(path.percentEncodedPath)" }
        return String(Layout.split(path).name.dropFirst("\(day) ".count)).percentEncodedPath
    }

    /// Month and day, text and credit.
    private static func words(of galleryDay: GalleryDay) -> JSON {
        let entry = galleryDay.record?.entry
        let credit = [entry?.credit, entry?.copyright].compactMap(\.self)
        return [
            .string(String(galleryDay.day.description.suffix(5))),
            .string(entry?.explanation ?? ""),
            .string(Set(credit).sorted().joined(separator: " ")),
        ]
    }
}

/// A script that calls a function with a year and a list of days.
struct DataScript {
    private var bytes: [UInt8]
    private var isEmpty = true

    init(_ function: String, _ year: Int) {
        bytes = Array("// \(Asset.mark)\n\(function)(\(year), [\n".utf8)
    }

    /// Appends the next day; `fields` is called with the length of the script so far.
    mutating func add(_ fields: (Int) -> JSON) {
        if !isEmpty { bytes += ",\n".utf8 }
        isEmpty = false
        let line = Array(fields(bytes.count).line.utf8)
        // `<` could end a script.
        bytes += line.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false)
            .joined(separator: "\\u003c".utf8)
    }

    /// The script after all days were added.
    var finished: [UInt8] { bytes + Array("\n]);\n".utf8) }
}
