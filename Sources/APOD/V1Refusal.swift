internal import Transfer

/// What a server of the v1 shape means by a refusal.
enum V1Refusal: Hashable, Sendable {
    /// Nothing was published on that day.
    case notPublished
    /// The day that was asked for is after the newest, which is this one.
    case tooNew(newest: Day)
    /// It stumbled over a day; others may do.
    case stumbled
    case other

    init(_ error: TransferError, from address: WebAddress) {
        guard case .refused(_, let status, let body) = error else {
            self = .other
            return
        }
        var text = ""
        if case .error(_, _, let message)? = try? AnswerBody(body, limit: 1, from: address) {
            text = message
        }
        switch status {
        case 404 where text.hasPrefix("No data available"): self = .notPublished
        case 400: self = Self.newest(in: text).map(Self.tooNew) ?? .other
        case 500: self = .stumbled
        default: self = .other
        }
    }

    /// The last date of a message.
    ///
    /// "Date must be between Jun 16, 1995 and Oct 05, 2026." is how v1 says it.
    private static func newest(in text: String) -> Day? {
        guard text.contains("must be between") else { return nil }
        let words = text.split { !$0.isLetter && !$0.isNumber }.suffix(3).map(String.init)
        guard words.count == 3, let day = Int(words[1]), let year = Int(words[2]),
            let month = Day.months.firstIndex(where: { $0.hasPrefix(words[0].lowercased()) })
        else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }
}
