import Testing
import ThumbnailProtocol

@Suite struct ProtocolTests {
    @Test(
        arguments: [.done, .rejected(reason: "it is empty"), .failed(reason: "")]
            as [ThumbnailResponse])
    func aMessageIsParsedAsItWasSent(_ response: ThumbnailResponse) {
        let request = ThumbnailRequest(side: 258, stamp: "a b")

        #expect(ThumbnailRequest(message: request.message) == request)
        #expect(ThumbnailResponse(message: response.message) == response)
    }

    @Test func aLongReasonIsTruncatedToAMessage() {
        let reason = String(repeating: "é", count: 9999)
        let response = ThumbnailResponse.rejected(reason: reason)

        #expect(response.message.count <= ThumbnailResponse.maximumSize)
        guard case .rejected = ThumbnailResponse(message: response.message) else {
            Issue.record("not a rejection")
            return
        }
    }

    private static let invalid: [[UInt8]] =
        ["", "\u{9}", "1", "made", "done again", "rejected", "-1 done", "0 done"]
        .map { Array($0.utf8) } + [[0xff, 0xfe], [1, 2, 3, 4, 5, 6, 7, 8]]

    @Test(arguments: invalid)
    func invalidMessagesAreRejected(_ message: [UInt8]) {
        #expect(ThumbnailResponse(message: message) == nil)
        #expect(ThumbnailRequest(message: message) == nil)
    }
}
