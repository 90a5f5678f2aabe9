import Testing
import ThumbnailProtocol

@Suite struct ProtocolTests {
    @Test(arguments: [.ready, .made, .rejected("it is empty"), .failed("")] as [ThumbnailOutcome])
    func aResponseIsParsed(_ answer: ThumbnailOutcome) {
        #expect(ThumbnailOutcome(message: answer.message) == answer)
    }

    @Test func aLongReasonIsTruncatedToAMessage() {
        let answer = ThumbnailOutcome.rejected(String(repeating: "é", count: 9999))

        #expect(answer.message.count <= ThumbnailOutcome.limit)
        #expect(ThumbnailOutcome(message: answer.message) != nil)
    }

    @Test func invalidMessagesAreRejected() {
        #expect(ThumbnailOutcome(message: []) == nil)
        #expect(ThumbnailOutcome(message: [9]) == nil)
        #expect(ThumbnailRequest(message: []) == nil)
        #expect(ThumbnailRequest(message: [0xff, 0xfe]) == nil)
        #expect(ThumbnailRequest(message: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
        #expect(ThumbnailResponse(message: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
        #expect(ThumbnailResponse(message: [1]) == nil)
    }

    @Test(arguments: [0, 1, 258, .max] as [UInt64])
    func aResponseNamesItsRequest(_ id: UInt64) {
        let order = ThumbnailRequest(id: id, stamp: "a")
        let reply = ThumbnailResponse(id: id, outcome: .rejected("it is empty"))

        #expect(ThumbnailRequest(message: order.message) == order)
        #expect(ThumbnailResponse(message: reply.message) == reply)
        #expect(ThumbnailResponse(message: reply.message)?.id == id)
    }
}
