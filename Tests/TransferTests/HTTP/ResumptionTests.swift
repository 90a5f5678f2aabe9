import Testing

@testable import Transfer

@Suite struct ResumptionTests {
    @Test(arguments: [
        ("bytes 4-9/10", 4, 9, 10), ("Bytes 0-0/1", 0, 0, 1), ("bytes 4-8/10", 4, 8, 10),
    ])
    func aRangeIsParsed(text: String, first: Int, last: Int, total: Int) {
        let range = ContentRange(text)

        #expect(range?.bytes == first...last)
        #expect(range?.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */10", "bytes 4-9/*", "bytes 9-4/10", "bytes 4-10/10", "bytes -9/10",
        "items 4-9/10", "bytes 4-9", "bytes 4-9/10/11", "bytes a-b/c",
        "bytes 4-99999999999999999999/10",
    ])
    func invalidRangesAreIgnored(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test(
        arguments: [
            (["ETag: \"a\"", "Content-Length: 10"], "\"a\""),
            (["ETag: W/\"a\"", "Last-Modified: then", "Content-Length: 10"], "then"),
            (["ETag: W/\"a\"", "Content-Length: 10"], nil), (["Content-Length: 10"], nil),
            (["ETag: \"a\""], nil),
            (["ETag: \"a\"", "Content-Length: 10", "Accept-Ranges: none"], nil),
        ] as [([String], String?)])
    func aResumptionNeedsALengthAndAValidator(headers: [String], validator: String?) throws {
        #expect(Resumption(try responseHead(200, headers))?.validator.value == validator)
    }

    @Test(arguments: [
        (["Content-Range: bytes 4-9/10", "ETag: \"a\""], true),
        (["Content-Range: bytes 4-9/10", "ETag: \"b\""], false),
        (["Content-Range: bytes 4-9/10"], false),
        (["Content-Range: bytes 3-9/10", "ETag: \"a\""], false),
        (["Content-Range: bytes 4-8/10", "ETag: \"a\""], false),
        (["Content-Range: bytes 4-10/11", "ETag: \"a\""], false),
        (["ETag: \"a\""], false),
    ])
    func onlyTheSameVersionIsResumed(headers: [String], isAccepted: Bool) throws {
        let whole = try responseHead(200, ["ETag: \"a\"", "Content-Length: 10"])
        let resumption = try #require(Resumption(whole))

        #expect(resumption.accepts(try responseHead(206, headers), at: 4) == isAccepted)
    }

    private func responseHead(_ status: Int, _ headers: [String]) throws -> ResponseHead {
        var head = ResponseHead("https://nasa.gov/")
        for line in ["HTTP/1.1 \(status) x"] + headers + [""] {
            unsafe Array("\(line)\r\n".utf8).withUnsafeBytes { unsafe head.add($0) }
        }
        return head
    }
}
