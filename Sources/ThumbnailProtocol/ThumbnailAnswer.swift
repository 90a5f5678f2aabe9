/// What became of an order: one message back.
package enum ThumbnailAnswer: Hashable, Sendable {
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
        case 0: self = .made
        case 1: self = .refused(text)
        case 2: self = .failed(text)
        default: return nil
        }
    }

    package var message: [UInt8] {
        switch self {
        case .made: [0]
        case .refused(let text): Self.message(1, text)
        case .failed(let text): Self.message(2, text)
        }
    }

    private static func message(_ kind: UInt8, _ text: String) -> [UInt8] {
        [kind] + Array(text.utf8.prefix(limit - 1))
    }
}
