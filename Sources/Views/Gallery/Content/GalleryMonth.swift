internal import APOD
internal import Mirror
internal import Platform

/// The days of one month that have a record: the contents of the page of the month, and of its parts of the page of the year.
///
/// If the folder of the month cannot be listed now, its days are those that the last update of the gallery has written.
struct GalleryMonth: Sendable {
    /// Newest first; not empty.
    let days: [Day]
    /// The nearest day with a record in a later month; `nil` if there is none.
    private(set) var newer: Day?
    /// The nearest day with a record in an earlier month; `nil` if there is none.
    private(set) var older: Day?
    /// Changes when a record changes, and when a day gets or loses a picture, a video, a thumbnail, a rendition or its place
    /// among the favorites.
    let digest: InputDigest
    /// Whether the month cannot be listed now, so that its page and its parts of other files stay as they are.
    private(set) var isKept = false

    /// `2026-11`, for example.
    var name: String { "\(Month(of: newest))" }
    var newest: Day { days[0] }

    /// Whether `snapshot` may lack days of the month, because its folder cannot be listed.
    private func isHidden(in snapshot: TreeSnapshot) -> Bool {
        snapshot.hidesDays(of: Month(of: newest))
    }

    // MARK: Making

    /// The months of the mirror, newest first.
    static func all(in input: ViewInput) throws(SystemError) -> [GalleryMonth] {
        var months = try listedAndHidden(in: input)
        for index in months.indices.dropFirst() {
            months[index].newer = months[index - 1].days.last
            months[index - 1].older = months[index].days.first
        }
        return months
    }

    /// The months that can be listed now; then the others, as the last update left them.
    private static func listedAndHidden(
        in input: ViewInput
    ) throws(SystemError) -> [GalleryMonth] {
        let snapshot = input.snapshot
        var months = snapshot.days.months.compactMap { GalleryMonth($0, in: input) }
            .filter { !$0.isHidden(in: snapshot) }
        for year in snapshot.yearsWithHiddenDays {
            months += try ofLastUpdate(in: year, of: input).filter { $0.isHidden(in: snapshot) }
        }
        return months.sorted { $0.newest > $1.newest }
    }

    /// The month with these `files`; `nil` if none of its days has a record.
    private init?(_ files: ArraySlice<TreeSnapshot.DayFiles>, in input: ViewInput) {
        var days: [Day] = []
        var digest = InputDigest()
        // The loop is over indices, because copying the element of each day would take most of the time.
        for index in files.indices where files[index].record != nil {
            let day = files[index].day
            days.append(day)
            digest.addRecordAndNames(of: files[index])
            digest.add(input.favorites.contains(day) ? 1 : 0)
            digest.add(input.renditions.contains(day) ? 1 : 0)
        }
        guard !days.isEmpty else { return nil }
        self.days = days.reversed()
        self.digest = digest
    }

    /// The months of `year` as the last update left them: those in ``YearScripts``.
    ///
    /// In `days/2026.js`, the lines of each month are between two equal marks with its digest. A month that lacks one of them
    /// is left out, because its lines may be damaged.
    private static func ofLastUpdate(
        in year: Int, of input: ViewInput
    ) throws(SystemError) -> [GalleryMonth] {
        let script = try ifValid(input.root.read(YearBuild.File.days.path(of: year))) ?? []
        var months: [GalleryMonth] = []
        var days: [Day] = []
        var startMark: InputDigest?
        for line in String(decoding: script, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("// ") {
                let mark = InputDigest(line.dropFirst(3))
                if let mark, mark == startMark, !days.isEmpty {
                    months.append(GalleryMonth(kept: days, digest: mark))
                }
                startMark = mark
                days = []
            } else if let day = YearScripts.day(ofLine: line, in: year) {
                days.append(day)
            }
        }
        return months
    }

    private init(kept days: [Day], digest: InputDigest) {
        self.days = days
        self.digest = digest
        isKept = true
    }
}
