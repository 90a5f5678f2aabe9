import Testing
import ThumbnailProtocol

@Suite struct ProtocolTests {
    @Test(
        arguments: [.done, .rejected(reason: "it is empty"), .failed(reason: "")]
            as [ThumbnailResponse.Outcome], [0, 1, 258, .max] as [UInt64])
    func aResponseNamesItsRequestAndTheOutcome(_ outcome: ThumbnailResponse.Outcome, _ id: UInt64) {
        let request = ThumbnailRequest(id: id, stamp: "a")
        let response = ThumbnailResponse(id: id, outcome: outcome)

        #expect(ThumbnailRequest(message: request.message) == request)
        #expect(ThumbnailResponse(message: response.message) == response)
    }

    @Test func aLongReasonIsTruncatedToAMessage() {
        let reason = String(repeating: "é", count: 9999)
        let response = ThumbnailResponse(id: .max, outcome: .rejected(reason: reason))

        #expect(response.message.count <= ThumbnailResponse.maximumSize)
        #expect(ThumbnailResponse(message: response.message)?.id == .max)
    }

    private static let invalid: [[UInt8]] =
        ["", "\u{9}", "1", "done", "1 made", "1 done again", "1 rejected", "-1 done"]
        .map { Array($0.utf8) } + [[0xff, 0xfe], [1, 2, 3, 4, 5, 6, 7, 8]]

    @Test(arguments: invalid)
    func invalidMessagesAreRejected(_ message: [UInt8]) {
        #expect(ThumbnailResponse(message: message) == nil)
        #expect(ThumbnailRequest(message: message) == nil)
    }
}
