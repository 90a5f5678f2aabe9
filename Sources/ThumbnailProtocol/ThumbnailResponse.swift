/// A message of the thumbnailer: that it is ready, or the outcome of a request.
package enum ThumbnailOutcome: Hashable, Sendable {
    /// The sandbox is active; requests may be sent.
    case ready
    case made
    /// No thumbnail can ever be made of this picture.
    case rejected(String)
    /// Another failure, such as exhausted memory.
    case failed(String)

    /// The maximum size of a message, in bytes.
    package static let limit = 512

    package init?(message: some Collection<UInt8>) {
        let text = String(decoding: message.dropFirst(), as: UTF8.self)
        switch message.first {
        case 0: self = .ready
        case 1: self = .made
        case 2: self = .rejected(text)
        case 3: self = .failed(text)
        default: return nil
        }
    }

    package var message: [UInt8] {
        switch self {
        case .ready: [0]
        case .made: [1]
        case .rejected(let text): Self.message(2, text)
        case .failed(let text): Self.message(3, text)
        }
    }

    private static func message(_ kind: UInt8, _ text: String) -> [UInt8] {
        [kind] + Array(text.utf8.prefix(limit - 1))
    }
}

/// A message with the ID of a request, a space and the outcome of the request.
package struct ThumbnailResponse: Hashable, Sendable {
    package let id: UInt64
    package let outcome: ThumbnailOutcome

    package init(id: UInt64, outcome: ThumbnailOutcome) {
        self.id = id
        self.outcome = outcome
    }

    /// The maximum size of a message, in bytes.
    package static let limit = "\(UInt64.max) ".utf8.count + ThumbnailOutcome.limit

    package init?(message: some Collection<UInt8>) {
        let digits = message.prefix { $0 != UInt8(ascii: " ") }
        guard let id = UInt64(String(decoding: digits, as: UTF8.self)),
            let outcome = ThumbnailOutcome(message: message.dropFirst(digits.count + 1))
        else { return nil }
        self.init(id: id, outcome: outcome)
    }

    package var message: [UInt8] { Array("\(id) ".utf8) + outcome.message }
}
