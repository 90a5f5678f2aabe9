import Testing
import ThumbnailProtocol

@Suite struct ProtocolTests {
    @Test(arguments: [.ready, .made, .refused("it is empty"), .failed("")] as [ThumbnailAnswer])
    func anAnswerIsUnderstood(_ answer: ThumbnailAnswer) {
        #expect(ThumbnailAnswer(message: answer.message) == answer)
    }

    @Test func aLongReasonFitsIntoItsMessage() {
        let answer = ThumbnailAnswer.refused(String(repeating: "é", count: 9999))

        #expect(answer.message.count <= ThumbnailAnswer.limit)
        #expect(ThumbnailAnswer(message: answer.message) != nil)
    }

    @Test func nonsenseIsNoMessage() {
        #expect(ThumbnailAnswer(message: []) == nil)
        #expect(ThumbnailAnswer(message: [9]) == nil)
        #expect(ThumbnailOrder(message: []) == nil)
        #expect(ThumbnailOrder(message: [0xff, 0xfe]) == nil)
        #expect(ThumbnailOrder(message: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
        #expect(ThumbnailReply(message: [1, 2, 3, 4, 5, 6, 7, 8]) == nil)
        #expect(ThumbnailReply(message: [1]) == nil)
    }

    @Test(arguments: [0, 1, 258, .max] as [UInt64])
    func anAnswerNamesItsOrder(_ id: UInt64) {
        let order = ThumbnailOrder(id: id, stamp: "a")
        let reply = ThumbnailReply(id: id, answer: .refused("it is empty"))

        #expect(ThumbnailOrder(message: order.message) == order)
        #expect(ThumbnailReply(message: reply.message) == reply)
        #expect(ThumbnailReply(message: reply.message)?.id == id)
    }
}
