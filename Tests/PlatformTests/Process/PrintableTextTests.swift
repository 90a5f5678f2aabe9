import Testing

@testable import Platform

@Suite struct PrintableTextTests {
    @Test func printableTextIsUnchanged() {
        let text = "Ångström’s Étoile\n\t天の川 \u{1F30C} 👩‍🚀 שלום"

        #expect(text.printable == text && text.escapedJSON == text)
    }

    @Test(arguments: [
        "\u{0}", "\u{1b}", "\u{7}", "\r", "\u{7f}", "\u{80}", "\u{9b}", "\u{9f}", "\u{061C}",
        "\u{200E}",
        "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
    ])
    func controlCharactersAreReplacedOrEscaped(character: String) {
        let text = "a\(character)b"

        #expect(text.printable == "a\u{FFFD}b")
        #expect(!text.printableLine.contains(character) && text.printableLine.count == 3)
        #expect(!text.excerpt.contains(character))
        #expect(!TerminalText("\u{1b}[1m\(text)").text.contains("a\(character)"))
        if character != "\r" { #expect(text.escapedJSON.hasPrefix("a\\u")) }
    }

    @Test func anExcerptIsOneShortLine() {
        let text = "one\ntwo" + String(repeating: "x", count: 5000)

        #expect(text.excerpt.hasPrefix("one two") && text.excerpt.hasSuffix("…"))
        #expect(text.excerpt.unicodeScalars.count == 200)
        #expect("short".excerpt == "short")
        // A single, very long grapheme cluster.
        #expect(("e" + String(repeating: "\u{301}", count: 5000)).excerpt.utf8.count <= 402)
    }

    @Test(arguments: ["'", "'\u{301}", "'\u{301}; touch x; '\u{301}", "a'\u{200d}b"])
    func aShellWordIsReadByAShellAsItIs(text: String) throws {
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        let quoted = parts.map { "'\(String($0))'" }.joined(separator: "\\'")

        // Each part is in quotes of its own, with nothing but an escaped quote between them.
        #expect(Array(text.shellWord.utf8) == Array(quoted.utf8))
    }

    @Test func interpolatedEscapeSequencesAreReplaced() {
        let title = "\u{1b}[2J"
        let text: TerminalText = "\u{1b}[1m\(title)\u{1b}[0m"

        #expect(text.text == "\u{1b}[1m\u{FFFD}[2J\u{1b}[0m")
        #expect((text + "\u{1b}[K").text.hasSuffix("\u{1b}[0m\u{1b}[K"))
        #expect([text, "a"].joined(separator: "\n").text == text.text + "\na")
    }
}
