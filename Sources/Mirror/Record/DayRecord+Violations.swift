package import APOD
package import JSON

/// Checks a stored record against the schema of records, for `verify` and for the repair of a damaged day.
extension DayRecord {
    /// The keys, such as `picture.sha256`, whose values break the schema of records: at most ten, for people.
    ///
    /// Reading a record drops or corrects invalid values. So `json` is read, written again, and compared: a value that
    /// differs is invalid. If `json` is not a record of `day` at all, the result is one sentence, such as `not a record of …`.
    package static func violations(of json: JSON, day: Day) -> [String] {
        guard let record = DayRecord(json, of: day) else { return ["not a record of \(day)"] }
        var keys = differences(of: json, from: record.json)
        // A day without a picture or video file needs a reason.
        let needsReason = record.picture == nil && record.video?.path == nil
        if needsReason, record.noPicture == nil, !keys.contains("no_picture") {
            keys.append("no_picture")
        }
        return Array(keys.prefix(10))
    }

    /// The keys whose values differ in two records, such as `title`, or `picture.sha256` in an object.
    private static func differences(of found: JSON, from written: JSON) -> [String] {
        let keys = Set((found.members + written.members).map(\.key))
        return keys.sorted().flatMap { key -> [String] in
            switch (found[key], written[key]) {
            case (let value, let other) where value == other: []
            case (.object(let members), .object(let others)):
                differences(of: .object(members), from: .object(others)).map { "\(key).\($0)" }
            default: [key]
            }
        }
    }
}
