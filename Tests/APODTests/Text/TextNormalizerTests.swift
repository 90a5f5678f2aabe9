import Testing

@testable import APOD

@Suite(.timeLimit(.minutes(10))) struct TextNormalizerTests {
    @Test(arguments: [
        ("", ""), (" \n\t", ""), (" a\r\n b\u{00A0}\u{2003}c ", "a b c"),
        ("a\u{0}\u{7}\u{85}b", "a b"), ("a\u{1B}[31mb", "a[31mb"), ("\u{FEFF}a\u{200B}b", "ab"),
        ("\u{202E}gpj.a\u{2069}", "gpj.a"), ("\u{FFFD} é", "\u{FFFD} é"), ("👩‍🚀", "👩‍🚀"),
    ])
    func whiteSpaceIsFoldedIntoOneLine(text: String, expected: String) {
        #expect(TextNormalizer.line(text) == expected)
    }

    @Test(arguments: [
        ("a\nb", "a b"), ("a\n\nb", "a\n\nb"), ("a .\n\nb ?\n\nc", "a.\n\nb?\n\nc"),
        ("a\r\n \r\n\r\nb\n", "a\n\nb"), ("\n\n", ""),
    ])
    func paragraphsAreKept(text: String, expected: String) {
        #expect(TextNormalizer.paragraphs(text) == expected)
    }

    @Test(arguments: [
        ("a neutron star , it", "a neutron star, it"), ("Jerry Bonnell .", "Jerry Bonnell."),
        ("(M31) ; the", "(M31); the"), ("Note : this", "Note: this"), ("Why ?\"", "Why?\""),
        ("the Moon ... and", "the Moon ... and"), ("of .5 meters", "of .5 meters"),
        ("stay tuned :)", "stay tuned :)"), ("really ;)", "really ;)"), ("(a star .)", "(a star.)"),
        ("- , -", "- , -"), ("a ,", "a,"), (" ", " "),
    ])
    func spacesBeforePunctuationAreRemoved(text: String, expected: String) {
        #expect(TextNormalizer.removingStraySpaces(text) == expected)
    }
}
