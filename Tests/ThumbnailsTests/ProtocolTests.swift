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

    @Test(arguments: ["", "\u{9}", "1", "done", "1 made", "1 done again", "1 rejected", "-1 done"])
    func invalidMessagesAreRejected(_ text: String) {
        #expect(ThumbnailResponse(message: text.utf8) == nil)
        #expect(ThumbnailRequest(message: text.utf8) == nil)
    }

    @Test func bytesThatAreNoTextAreRejected() {
        #expect(ThumbnailRequest(message: [0xff, 0xfe]) == nil)
        #expect(ThumbnailResponse(message: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
    }
}
