import Platform
import Testing

@Suite struct ByteSizeTests {
    /// `0.1GiB` is no whole number of bytes: it is written as more than a million `B`.
    @Test(arguments: [
        "0B", "0.1GiB", "0.3TB", "999999.9kB", "1.5GiB", "107374182B", "123456.7TiB", "1048576TiB",
    ])
    func aSizeIsReadAsItWasWritten(text: String) throws {
        let size = try #require(ByteCount(typed: text))
        #expect(ByteCount(typed: size.typed) == size)
    }

    @Test(arguments: ["1048577TiB", "9223372036854775808B", "1e3GB", "-1GB", "1 GB", "GB", "10"])
    func otherTextIsNoSize(text: String) { #expect(ByteCount(typed: text) == nil) }
}
