internal import APOD

/// Which of two texts of one day is better.
///
/// NASA's move to WordPress emptied fields, cut captions to "[…]", dropped the apostrophes, hyphens and letters
/// with accents of a text, and wrote titles in one case. A text that lost something and gained nothing is
/// damaged; any other difference is an edit.
extension String {
    /// Whether this is what damage makes of `original`.
    func isDamagedCopy(of original: String) -> Bool {
        if isEmpty { return !original.isEmpty }
        let wasCut = original.isCut
        let (copy, original) = (TextTraits(self), TextTraits(original))
        if copy.letters != original.letters || isCut && !wasCut {
            return isCut && original.letters.starts(with: copy.letters)
        }
        guard copy.marks.isSubset(of: original.marks) else { return false }
        let hasLostCase =
            copy.cased != original.cased && copy.hasOneCase && original.cased != original.letters
        return copy.marks != original.marks || hasLostCase
    }

    /// Whether the text ends with a sign that more follows.
    private var isCut: Bool { ["…", "[…]", "...", "[...]"].contains(where: hasSuffix) }

    /// Whether an address of a video lacks the offset at which the video at `original` starts.
    func isWithoutOffset(of original: String) -> Bool {
        func parts(_ address: String) -> (page: Substring, hasOffset: Bool) {
            let parts = address.split(separator: "?", maxSplits: 1)
            let query = parts.dropFirst().first?.split { "&;".contains($0) } ?? []
            let hasOffset = query.contains { $0.hasPrefix("t=") || $0.hasPrefix("start=") }
            return (parts.first ?? "", hasOffset)
        }
        let (copy, original) = (parts(self), parts(original))
        return copy.page == original.page && original.hasOffset && !copy.hasOffset
    }
}

/// What damage changes in a text, and what it leaves.
private struct TextTraits {
    enum Mark {
        case apostrophe, hyphen
        /// Letters with accents, and numbers such as ².
        case foreign
        /// The text has no U+FFFD, which stands for a lost character.
        case legible
    }

    private enum Case {
        case lower, capitalized, upper, mixed
    }

    /// The letters and digits of ASCII.
    private(set) var cased: [UInt8] = []
    /// The same in lower case.
    let letters: [UInt8]
    /// The kinds of characters that occur: damage drops all of a kind.
    private(set) var marks: Set<Mark> = [.legible]
    /// The cases of the words of two and more letters that begin with a letter.
    private var cases: Set<Case> = []

    /// Whether all words are in lower case, in upper case, or capitalized.
    var hasOneCase: Bool { cases.count <= 1 && cases != [.mixed] }

    init(_ text: String) {
        letters = text.asciiLetters
        for word in text.split(whereSeparator: \.isWhitespace) {
            let start = cased.count
            for scalar in word.unicodeScalars { read(scalar) }
            let letters = cased[start...].filter { $0 > UInt8(ascii: "9") }
            guard letters.count > 1, let first = word.utf8.first, first == letters[0] else {
                continue
            }
            let capitals = letters.count { $0 <= UInt8(ascii: "Z") }
            let isCapitalized = capitals == 1 && letters[0] <= UInt8(ascii: "Z")
            let wordCase: Case =
                switch capitals {
                case 0: .lower
                case letters.count: .upper
                default: isCapitalized ? .capitalized : .mixed
                }
            cases.insert(wordCase)
        }
    }

    private mutating func read(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "'", "`", "\u{2018}", "\u{2019}", "\u{2BC}": marks.insert(.apostrophe)
        case "-", "\u{2010}"..."\u{2015}", "\u{2212}": marks.insert(.hyphen)
        case "\u{FFFD}": marks.remove(.legible)
        case "a"..."z", "A"..."Z", "0"..."9":
            cased.append(UInt8(scalar.value))
        default:
            let isWritten = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if !scalar.isASCII, isWritten { marks.insert(.foreign) }
        }
    }
}
