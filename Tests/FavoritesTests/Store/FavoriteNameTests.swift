import Platform
import Testing

@testable import Favorites

@Suite struct FavoriteNameTests {
    @Test(arguments: ["", "/", "/etc", "a//b", "a/", "..", "a/../b", ".", "a/.", "a\0b"])
    func aNameNeverLeadsOutOfFavorites(text: String) {
        #expect(FavoriteName(text) == nil)
    }

    @Test func aComponentOfANameHasAtMost255Bytes() {
        #expect(FavoriteName([UInt8](repeating: 0x61, count: 255)) != nil)
        #expect(FavoriteName([UInt8](repeating: 0x61, count: 256)) == nil)
    }

    @Test(
        arguments: [
            Array("a.jpg".utf8), [0xFF, 0x0A, 0x25], Array("é\u{301}/👩‍🚀".utf8), Array("-rf \n".utf8),
            Array(1...46) + Array(48...255),
        ] as [[UInt8]])
    func aNameSurvivesEscaping(bytes: [UInt8]) throws {
        let name = try #require(FavoriteName(bytes))

        #expect(FavoriteName(name.escaped.utf8.percentDecoded) == name)
        #expect(name.escaped.utf8.allSatisfy { 0x20...0x7E ~= $0 })
    }

    @Test func composedAndDecomposedNamesAreDistinct() {
        #expect(FavoriteName("\u{e9}") != FavoriteName("e\u{301}"))
    }
}
