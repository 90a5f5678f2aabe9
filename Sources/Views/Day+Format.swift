internal import APOD

/// The texts of a date in pages and scripts of the gallery, in English.
extension Day {
    /// `20 November 2026`.
    var formatted: String { "\(formattedWithoutYear) \(year)" }
    /// `20 November`.
    var formattedWithoutYear: String { "\(self.day) \(monthName)" }
    /// `11-20`.
    var monthAndDay: String { String(description.suffix(5)) }
    /// `November`.
    var monthName: String { Self.monthNames[month - 1] }

    private static let monthNames = months.map { $0.prefix(1).uppercased() + $0.dropFirst() }
}
