internal import APOD
internal import Mirror

/// The days of one year that have a record, as the names and the status of their files show them.
struct GalleryYear: Sendable {
    let number: Int
    /// Newest first, not empty.
    let months: [GalleryMonth]

    /// Newest first.
    static func all(in input: ViewInput, renditions: Set<Day>) -> [GalleryYear] {
        let files = input.snapshot.days.filter { $0.record != nil }
        let groups = files.grouped(by: Month.init(of:))
        let months = groups.indices.map { index in
            GalleryMonth(
                files: groups[index], later: index > 0 ? groups[index - 1].first?.day : nil,
                earlier: index + 1 < groups.count ? groups[index + 1].last?.day : nil,
                digest: digest(of: groups[index], input, renditions))
        }
        var years: [GalleryYear] = []
        for month in months {
            let year = month.newest.year
            let earlier = years.last?.number == year ? years.popLast()?.months ?? [] : []
            years.append(GalleryYear(number: year, months: earlier + [month]))
        }
        return years
    }

    private static func digest(
        of files: ArraySlice<TreeSnapshot.DayFiles>, _ input: ViewInput, _ renditions: Set<Day>
    ) -> InputDigest {
        var digest = InputDigest()
        for day in files {
            digest.add(day)
            digest.add(input.favorites.contains(day.day) ? 1 : 0)
            digest.add(renditions.contains(day.day) ? 1 : 0)
        }
        return digest
    }

    /// Newest first.
    var days: [Day] { months.flatMap(\.days) }

    /// Changes with each file of the year that a page shows.
    var digest: InputDigest {
        var digest = InputDigest()
        for month in months { digest.add(month.digest) }
        return digest
    }
}

/// The days of one month that have a record.
struct GalleryMonth: Sendable {
    /// In ascending order; not empty.
    fileprivate let files: ArraySlice<TreeSnapshot.DayFiles>
    /// The days after and before it.
    let later: Day?
    let earlier: Day?
    /// Changes with each file of the month that a page shows.
    let digest: InputDigest

    /// Newest first.
    var days: [Day] { files.reversed().map(\.day) }
    /// Such as `2026-11`.
    var name: String { "\(Month(of: newest))" }
    var newest: Day { files[files.endIndex - 1].day }
    var oldest: Day { files[files.startIndex].day }
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
