internal import APOD

/// Dates in the format of HTTP: `Fri, 20 Nov 2026 12:00:00 GMT`, see RFC 9110, section 5.6.7.
enum HTTPDate {
    static func text(_ seconds: Int) -> String {
        let (number, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let day = Day(number: number) ?? .first
        let time = [second / 3600, second / 60 % 60, second % 60].map(twoDigits)
        // 1970-01-01 was a Thursday.
        return """
            \(weekdays[(day.number + 3) % 7]), \(twoDigits(day.day)) \(months[day.month - 1]) \
            \(day.year) \(time.joined(separator: ":")) GMT
            """
    }

    /// Seconds since 1970; `nil` if `text` is malformed or before 1995.
    static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2] + ""),
            let dayOfMonth = Int(parts[1]), let year = Int(parts[3]),
            let day = Day(year: year, month: month + 1, day: dayOfMonth)
        else { return nil }
        let time = parts[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3 else { return nil }
        return day.number * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
    }

    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = Day.months.map {
        $0.prefix(1).uppercased() + $0.dropFirst().prefix(2)
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
