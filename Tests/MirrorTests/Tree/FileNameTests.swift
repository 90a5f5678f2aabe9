import APOD
import Mirror
import Testing

@Suite struct FileNameTests {
    let day = Day(iso: "2026-11-20") ?? .first

    @Test(arguments: [
        ("The Crab Nebula", "The Crab Nebula"),
        ("  M31:  The\nAndromeda\tGalaxy ", "M31 - The Andromeda Galaxy"),
        ("And/Or \\ | <x> \"y\" *why*?", "And-Or - - (x) 'y' why"),
        ("Ends with dots... ", "Ends with dots"),
        ("", "Untitled"),
        ("???", "Untitled"),
        ("...", "Untitled"),
        ("Cafe\u{301}", "Caf\u{e9}"), ("Cafe\u{200b}\u{301}", "Caf\u{e9}"),
        ("Cafe*\u{301}", "Caf\u{e9}"),
        ("a\u{202e}b\u{0}c\u{7f}d\u{200b}e\u{fffd}f", "abcdef"),
        ("no\u{a0}break\u{2028}line", "no break line"),
        ("\u{1f469}\u{200d}\u{1f680} in orbit", "\u{1f469}\u{200d}\u{1f680} in orbit"),
        ("x" + String(repeating: "\u{301}", count: 60), "Untitled"),
    ])
    func aNameIsLegalOnAllFileSystems(title: String, words: String) {
        let stem = FileName.stem(of: day, title: title)

        #expect(Array(stem.utf8) == Array("2026-11-20 \(words)".utf8))
    }

    @Test(arguments: ["x", "é", "天", "👩‍🚀", "e\u{301}\u{302}\u{303}"])
    func aNameIsCutBetweenCharactersBelow120Bytes(letter: String) {
        let title = String(repeating: letter, count: 300)
        let stem = FileName.stem(of: day, title: title)

        #expect(stem.utf8.count + ".jpeg".utf8.count <= 120)
        #expect(stem.utf8.count > 120 - 6 - letter.utf8.count)
        let composed = FileName.stem(of: day, title: letter).dropFirst(11)
        #expect(stem.dropFirst(11).allSatisfy { String($0) == composed })
    }

    @Test func aNameIsCutBetweenWordsIfPossible() {
        let title = String(repeating: "Nebula ", count: 40)

        #expect(FileName.stem(of: day, title: title).hasSuffix(" Nebula"))
    }

    @Test func aNameContainsNoCharacterThatWindowsForbids() {
        let forbidden = Set("/\\:*?\"<>|".unicodeScalars)
        for scalar in (0...0x3000).compactMap(Unicode.Scalar.init) {
            let stem = FileName.stem(of: day, title: "a\(Character(scalar))b\(Character(scalar))")
            #expect(stem.unicodeScalars.allSatisfy { !forbidden.contains($0) && $0.value >= 32 })
            #expect(!stem.hasSuffix(".") && !stem.hasSuffix(" "))
        }
    }

    @Test func theDayOfANameIsParsed() {
        #expect(FileName.day(of: "2026-11-20 The Crab Nebula.jpg") == day)
        #expect(FileName.day(of: "2026-11-31 No such day.jpg") == nil)
        #expect(FileName.day(of: "cat.jpg") == nil)
    }
}
