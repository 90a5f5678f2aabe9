package import APOD
internal import JSON
package import Platform

/// Reads the records of days; ``DayPublisher`` writes them.
extension Store {
    /// The record of `day`; `nil` if it is missing or damaged.
    ///
    /// A record that `mustBeValid` also counts as damaged if it breaks a rule of the schema of records.
    package func record(of day: Day, mustBeValid: Bool = false) throws(SystemError) -> DayRecord? {
        guard let json = try recordJSON(of: day) else { return nil }
        if mustBeValid, !DayRecord.violations(of: json, day: day).isEmpty { return nil }
        return DayRecord(json, of: day)
    }

    /// The keys that a person has added to the record of `day`, even if the rest of the record is damaged.
    func unknownKeys(of day: Day) throws(SystemError) -> [JSON.Member] {
        guard let json = try recordJSON(of: day) else { return [] }
        return DayRecord.unknownKeys(of: json)
    }

    /// The record of `day` for a list that leaves out each day whose record is missing, damaged or unreadable: `nil`.
    ///
    /// - Throws: ``SystemError`` if memory or descriptors are used up, because the list would leave out all days.
    package func knownRecord(of day: Day) throws(SystemError) -> DayRecord? {
        do {
            return try record(of: day)
        } catch  where !error.concernsEveryFile {
            return nil
        }
    }

    private func recordJSON(of day: Day) throws(SystemError) -> JSON? {
        try ifValid(tree.root.read(Layout.recordPath(of: day))).flatMap { try? JSON(parsing: $0) }
    }
}
