internal import Transfer

/// The meaning of a failed request to a v1 server.
enum V1Refusal: Hashable, Sendable {
    case notPublished
    /// A requested day is after the newest one that the server has.
    case tooNew(newest: Day)
    /// An internal error, which one bad day in a range can cause.
    case serverError
    case other

    init(_ error: TransferError) {
        guard case .refused(_, let status, let body) = error else {
            self = .other
            return
        }
        let message = ServerError(body: body)?.message ?? ""
        switch status {
        case 404 where message.hasPrefix("No data available"): self = .notPublished
        case 400: self = Self.newest(in: message).map(Self.tooNew) ?? .other
        case 500: self = .serverError
        default: self = .other
        }
    }

    /// Parses the last date of a message such as "must be between Jun 16, 1995 and Oct 05, 2026".
    private static func newest(in message: String) -> Day? {
        guard message.contains("must be between") else { return nil }
        let words = message.split { !$0.isLetter && !$0.isNumber }.suffix(3).map(String.init)
        guard words.count == 3, let day = Int(words[1]), let year = Int(words[2]),
            let month = Day.months.firstIndex(where: { $0.hasPrefix(words[0].lowercased()) })
        else { return nil }
        return Day(year: year, month: month + 1, day: day)
    }
}
