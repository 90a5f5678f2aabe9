internal import APOD

extension Day {
    /// `20 November 2026`.
    var inWords: String { "\(day) \(monthName) \(year)" }

    /// `20 November`.
    var inYear: String { "\(day) \(monthName)" }

    /// `November`.
    var monthName: String {
        let name = Self.months[month - 1]
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}
