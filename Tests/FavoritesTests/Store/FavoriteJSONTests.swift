import APOD
import FoundationEssentials
import JSON
import Mirror
import Platform
import Testing

@testable import Favorites

@Suite struct FavoriteJSONTests {
    let day = Day(iso: "2026-11-20") ?? .first
    let added = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func theRecordOfTheManualIsRead() throws {
        var favorite = Favorite(
            day: day, added: added, names: try names("a.jpg", "b/c"), kind: .copy)
        favorite.title = "The Crab Nebula"
        favorite.fileNames = Set(favorite.names)

        #expect(
            favorite.json.line
                == #"{"date":"2026-11-20","title":"The Crab Nebula","added":"2027-01-15T08:00:00Z","#
                + #""names":["a.jpg","b/c"],"via":"copy"}"#)
    }

    /// The kind alone says so, unless some items are files and others are links.
    @Test(
        arguments: [
            (.link, [], nil), (.copy, ["a.jpg", "b/c"], nil), (.link, ["b/c"], #"["b/c"]"#),
            (.copy, ["a.jpg"], #"["a.jpg"]"#),
        ] as [(ReferenceKind, [String], String?)])
    func aRecordSaysWhichItemsAreFiles(
        kind: ReferenceKind, files: [String], recorded: String?
    ) throws {
        var favorite = Favorite(
            day: day, added: added, names: try names("a.jpg", "b/c"), kind: kind)
        favorite.fileNames = Set(files.compactMap { FavoriteName($0) })

        let json = try JSON(parsing: favorite.json.document)

        #expect(json["files"]?.line == recorded)
        #expect(Favorite(json) == favorite)
    }

    @Test(arguments: [
        ("x.jpg", "x (link).jpg"), ("a.b/x", "a.b/x (link)"), ("a/x.tar.gz", "a/x.tar (link).gz"),
        (String(repeating: "x", count: 255), String(repeating: "x", count: 248) + " (link)"),
    ])
    func aLinkInPlaceOfAFileHasAnotherName(file: String, link: String) throws {
        #expect(try #require(FavoriteName(file)).ofLink.text == link)
    }

    @Test(arguments: [
        ("x.jpg", "x.url"), ("a.b/x", "a.b/x.url"), ("a/x (link).jpg", "a/x.url"),
        ("x.url", "x.url"), ("M 31. At night", "M 31. At night.url"),
        (" (link).jpg", " (link).url"),
        (String(repeating: "é", count: 127), String(repeating: "é", count: 125) + ".url"),
    ])
    func aShortcutInPlaceOfALinkHasItsExtension(link: String, shortcut: String) throws {
        #expect(try #require(FavoriteName(link)).ofShortcut.text == shortcut)
    }

    @Test func theNamesThatAFavoriteLostAreRecorded() throws {
        var favorite = Favorite(day: day, added: added, names: try names("a.jpg"), kind: .link)
        favorite.lost = .init(
            names: Set(try names("b.jpg", "c/d.jpg")),
            since: Uptime(boot: "this", milliseconds: 5))

        #expect(Favorite(try JSON(parsing: favorite.json.document)) == favorite)
    }

    private static let since = Favorite.Disappearance(
        date: Date(timeIntervalSince1970: 1_700_000_000),
        uptime: Uptime(boot: "this", milliseconds: 5))

    @Test(
        arguments: [
            .present, .disappeared(since: since), .held(since: since), .held(since: nil),
            .disappeared(since: .init(date: since.date, uptime: nil)),
        ] as [Favorite.Presence])
    func aRecordSurvivesARoundTrip(presence: Favorite.Presence) throws {
        let odd = try #require(FavoriteName([0x61, 0xFF, 0x0A]))
        let names =
            try names(
                "100%25\n", "e\u{301}", "\u{e9}", "z%E9.jpg", "z%25E9", "z%2525E9", "z%2541",
                "z%C3%A9%") + [odd]
        let favorite = Favorite(
            day: day, added: added, names: names.sorted(), kind: .shortcut,
            presence: presence)

        let json = try JSON(parsing: favorite.json.document)
        #expect(Favorite(json) == favorite)
        #expect(json["names"]?.line.hasPrefix(#"["100%25\n","a%FF%0A","#) == true)
    }

    @Test(arguments: [
        "{}", "[]", "7", #"{"date": "2026-11-20"}"#,
        #"{"date": "2026-02-30", "added": "2027-01-15T08:00:00Z", "names": []}"#,
        #"{"date": "2026-11-20", "added": "soon", "names": []}"#,
    ])
    func anInvalidRecordIsRejected(text: String) throws {
        let json = try JSON(parsing: Array(text.utf8))
        #expect(Favorite(json) == nil)
    }

    // MARK: Names

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

    private func names(_ texts: String...) throws -> [FavoriteName] {
        try texts.map { try #require(FavoriteName($0)) }.sorted()
    }
}
