internal import APOD

/// The texts of a date in pages and scripts of the gallery, in English.
extension Day {
    /// The date as pages show it: `20 November 2026`.
    var formatted: String { "\(formattedWithoutYear) \(year)" }
    /// The date on the pages of one year: `20 November`.
    var formattedWithoutYear: String { "\(self.day) \(monthName)" }
    /// The date in the scripts of one year: `11-20`.
    var monthAndDay: String { String(description.suffix("11-20".count)) }
    /// The English name, with a capital: `November`.
    var monthName: String { Self.monthNames[month - 1] }

    private static let monthNames = months.map { $0.prefix(1).uppercased() + $0.dropFirst() }
}
