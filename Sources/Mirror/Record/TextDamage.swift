internal import APOD

/// Whether a text is a damaged version of another one of the same day.
///
/// NASA's move to WordPress emptied fields, cut captions to "[…]", dropped the apostrophes, hyphens and letters
/// with accents of a text, and wrote titles in one case. A text that lost something and gained nothing is
/// damaged; any other difference is an edit. ``EntryText/takeBetter(from:isArchive:)`` keeps the better one.
extension String {
    /// Whether this text is a damaged version of `original`.
    func isDamagedCopy(of original: String) -> Bool {
        if isEmpty { return !original.isEmpty }
        let (copy, whole) = (TextTraits(self), TextTraits(original))
        // A cut text has the first letters of the whole one, whatever else is damaged.
        let isNewlyCut = isCut && !original.isCut
        if copy.letters != whole.letters || isNewlyCut {
            return isCut && whole.letters.starts(with: copy.letters)
        }
        guard copy.marks.isSubset(of: whole.marks) else { return false }
        // One case says less than any other, except than lower case: a new capital is an edit. An original in
        // upper case may be a name such as NGC.
        let wasLowerCase = whole.cased == whole.letters
        let hasLostCase = copy.cased != whole.cased && copy.hasOneCase && !wasLowerCase
        return copy.marks != whole.marks || hasLostCase
    }

    /// Whether the text ends with a sign that more follows.
    private var isCut: Bool { ["…", "[…]", "...", "[...]"].contains(where: hasSuffix) }

    /// Whether this address of a video lacks the start time that the address `original` of the same video has; the
    /// move dropped it from the addresses, too.
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
        case nonASCIILetter
        /// The text has no U+FFFD, which stands for a lost character.
        case noReplacementCharacter
    }

    private enum Case {
        case lower, capitalized, upper, mixed
    }

    /// The letters and digits of ASCII, with their case.
    private(set) var cased: [UInt8] = []
    /// The same in lower case.
    let letters: [UInt8]
    /// The kinds of characters that occur: damage drops all of a kind.
    private(set) var marks: Set<Mark> = [.noReplacementCharacter]
    /// The cases of the words of two and more letters that begin with a letter.
    private var cases: Set<Case> = []

    /// Whether all words are in lower case, in upper case, or capitalized.
    var hasOneCase: Bool { cases.count <= 1 && cases != [.mixed] }

    init(_ text: String) {
        letters = text.asciiLetters
        for word in text.split(whereSeparator: \.isWhitespace) {
            let start = cased.count
            for scalar in word.unicodeScalars { read(scalar) }
            // Digits come before the letters in ASCII, and capitals before the others.
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
        case "\u{FFFD}": marks.remove(.noReplacementCharacter)
        case "a"..."z", "A"..."Z", "0"..."9":
            cased.append(UInt8(scalar.value))
        default:
            let isWritten = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if !scalar.isASCII, isWritten { marks.insert(.nonASCIILetter) }
        }
    }
}
