package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// Interprets an argument that names a day: a date, `today`, `yesterday`, `latest`, the address of a page of APOD, or a path.
///
/// The text alone is interpreted, and for `latest` the mirror is read. Nothing is downloaded.
package enum DayArgument {
    /// The forms of a day, at the end of an error: `“x” is no day of APOD and no file; use a date from …`.
    package static let expected =
        "a date from \(Day.first) on such as 2026-11-20, today, yesterday, latest, the path of a picture or the URL"
        + " of a page of APOD"

    package static func isLatest(_ text: String) -> Bool { text.lowercased() == "latest" }

    /// Whether `text` is a day such as `2026-11-20` or `latest`, and so is not taken for the name of a file.
    package static func isWord(_ text: String) -> Bool {
        dayWithoutMirror(text) != nil || isLatest(text)
    }

    /// Reads a day for which no mirror is needed: a date, `today`, `yesterday` or a web address.
    package static func dayWithoutMirror(_ text: String, at now: Date = Date()) -> Day? {
        switch text.lowercased() {
        case "today": Day(localTimeOf: now)
        case "yesterday": Day(localTimeOf: now)?.advanced(by: -1)
        default: numericDate(text) ?? dayOfWebAddress(text)
        }
    }

    /// Reads a day in any form; `latest` is the newest day that has a record in `mirror`.
    ///
    /// - Returns: `nil` if `text` names no day.
    package static func day(
        _ text: String, in mirror: Store, at now: Date = Date()
    ) throws -> Day? {
        if let day = dayWithoutMirror(text, at: now) { return day }
        if isLatest(text) { return try mirror.newestRecordedDay(at: now) }
        return switch AddressText.meaning(in: text) {
        case .page(let day): day
        case .otherPage: nil
        case .path(let path): try day(of: path, in: mirror)
        case nil: try day(of: PathText(text), in: mirror)
        }
    }

    /// Reads `2026-11-20`, `2026-8-2`, `20261120`, `261120`, `ap261120` or `ap261120.html`.
    private static func numericDate(_ text: String) -> Day? {
        if let day = Day(compact: text) { return day }
        guard let date = DateInName(startOf: text.utf8) else { return nil }
        return date.rest.isEmpty || date.rest.elementsEqual(".html".utf8) ? date.day : nil
    }

    /// Reads the address of a web page; for NASA's pages, it may lack `https://`.
    private static func dayOfWebAddress(_ text: String) -> Day? {
        let site = text.lowercased().prefix { $0 != "/" }
        let address = site.hasSuffix("nasa.gov") ? "https://\(text)" : text
        guard case .page(let day) = AddressText.meaning(in: address) else { return nil }
        return day
    }

    /// The day of the file at `path`, in this mirror or in any other folder.
    private static func day(of path: PathText, in mirror: Store) throws(SystemError) -> Day? {
        if let day = path.dayOfMirroredFile { return day }
        // A path that is not in this mirror may be relative to its root.
        let relativePath = try mirror.tree.pathInMirror(of: path) ?? path
        if let file = relativePath.latestFile { return try mirror.day(of: file) }
        // A date that is not at the beginning of a name may be that of a screenshot, and is not taken for a day of APOD.
        return mayBeFile(path) ? path.dayInFileName ?? path.dayInOldName : nil
    }

    /// Whether `path` ends like a file named by a day: `2026-11-20 X.jpg`, `2026-11-20.json`, `favorites/2026-11-20`.
    ///
    /// Otherwise `2026-11-200` and the range `2026-11-01..2026-11-20` would be taken for one day.
    private static func mayBeFile(_ path: PathText) -> Bool {
        guard let name = path.parts.last, let rest = DateInName(startOf: name)?.rest,
            rest.first?.isDigit != true, !rest.starts(with: "..".utf8)
        else { return false }
        // A link to a day without a picture has no extension, and one by a file manager may have a long one.
        let folders = path.parts.dropLast()
        if folders.contains(where: { $0.elementsEqual(Layout.favorites.utf8) }) { return true }
        guard let dot = rest.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let fileExtension = rest[dot...].dropFirst()
        return 1...5 ~= fileExtension.count && fileExtension.first?.isLowercaseASCIILetter == true
    }
}
