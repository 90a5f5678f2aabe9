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
        #expect(ThumbnailOrder(message: ThumbnailOrder(stamp: "a").message)?.stamp == "a")
    }
}
