/// What the process that decodes says: that it is ready, and what became of each order.
package enum ThumbnailAnswer: Hashable, Sendable {
    /// All that it can do without is given up; orders may come.
    case ready
    case made
    /// Nothing can be made of this picture, however often it is asked for.
    case refused(String)
    /// Something else stood in the way, such as a full disk.
    case failed(String)

    /// The most bytes of a message.
    package static let limit = 512

    package init?(message: some Collection<UInt8>) {
        let text = String(decoding: message.dropFirst(), as: UTF8.self)
        switch message.first {
        case 0: self = .ready
        case 1: self = .made
        case 2: self = .refused(text)
        case 3: self = .failed(text)
        default: return nil
        }
    }

    package var message: [UInt8] {
        switch self {
        case .ready: [0]
        case .made: [1]
        case .refused(let text): Self.message(2, text)
        case .failed(let text): Self.message(3, text)
        }
    }

    private static func message(_ kind: UInt8, _ text: String) -> [UInt8] {
        [kind] + Array(text.utf8.prefix(limit - 1))
    }
}

/// An answer, and which order it is about.
package struct ThumbnailReply: Hashable, Sendable {
    package let id: UInt64
    package let answer: ThumbnailAnswer

    package init(id: UInt64, answer: ThumbnailAnswer) {
        self.id = id
        self.answer = answer
    }

    /// The most bytes of a message.
    package static let limit = UInt64.messageCount + ThumbnailAnswer.limit

    package init?(message: some Collection<UInt8>) {
        guard let id = UInt64(message: message),
            let answer = ThumbnailAnswer(message: message.dropFirst(UInt64.messageCount))
        else { return nil }
        self.init(id: id, answer: answer)
    }

    package var message: [UInt8] { id.message + answer.message }
}
