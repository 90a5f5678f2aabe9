internal import APOD
internal import Mirror

/// The days of one year that have a record, as the names and the status of their files show them.
struct GalleryYear: Sendable {
    let number: Int
    /// In ascending order; not empty.
    private let files: ArraySlice<TreeSnapshot.DayFiles>

    /// Newest first.
    static func all(in snapshot: TreeSnapshot) -> [GalleryYear] {
        snapshot.days.filter { $0.record != nil }.grouped(by: \.year).map { files in
            GalleryYear(number: files[files.startIndex].day.year, files: files)
        }
    }

    /// Newest first.
    var days: [Day] { files.reversed().map(\.day) }

    /// Changes with each file of the year that a page shows.
    var digest: InputDigest {
        var digest = InputDigest()
        for day in files { digest.add(day) }
        return digest
    }
}

extension InputDigest {
    /// Adds the files of a day that pages show: its record, and whether it has a thumbnail.
    mutating func add(_ files: TreeSnapshot.DayFiles) {
        add(files.day.number)
        add(files.record)
        add(files.thumbnail == nil ? 0 : 1)
    }

    /// The last line of the page or script `name`.
    func line(in name: String) -> String {
        name.hasSuffix(".html") ? "<!-- \(text) -->\n" : "// \(text)\n"
    }
}
