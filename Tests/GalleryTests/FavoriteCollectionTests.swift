import APOD
import Testing

@testable import Views

@Suite struct FavoriteCollectionTests {
    @Test func eachCollectionHasAPage() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        let folders = Dictionary(uniqueKeysWithValues: (1...1000).map { ("\($0)", Set([day])) })

        #expect(FavoriteCollection.all(folders, of: [day]).count == 1000)
    }
}
