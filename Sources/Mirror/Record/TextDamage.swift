internal import APOD

/// Whether a text is a damaged version of another one of the same day.
///
/// NASA's move to WordPress emptied fields, cut captions to "[…]", dropped the apostrophes, hyphens and letters
/// with accents of a text, and wrote titles in one case. A text that lost something and gained nothing is
/// damaged; any other difference is an edit. ``EntryText/takeBetter(from:isFromUserFile:)`` keeps the better one.
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
        // "M31 In Autumn" is a damaged copy of "M31 in Autumn", but an edit of "m31 in autumn".
        let wasLowerCase = whole.cased == whole.letters
        let hasLostCase = copy.cased != whole.cased && copy.hasOneCase && !wasLowerCase
        return copy.marks != whole.marks || hasLostCase
    }

    /// Whether the text ends with a sign that more follows.
    private var isCut: Bool { ["…", "[…]", "...", "[...]"].contains(where: hasSuffix) }
}

/// What damage changes in a text, and what it leaves.
private struct TextTraits {
    enum Mark {
        case apostrophe, hyphen
        /// Letters with accents, and numbers such as ².
        case nonASCIILetter
        /// The text has no U+FFFD, which stands for a lost character; so a text with one has fewer marks.
        case noReplacementCharacter
    }

    private enum Case {
        case lower, capitalized, upper, mixed
    }

    /// The letters and digits of ASCII, with their case.
    private(set) var cased: [UInt8] = []
    /// ``cased`` in lower case.
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
            let wordLetters = cased[start...].filter { $0 > UInt8(ascii: "9") }
            guard wordLetters.count > 1, let first = word.utf8.first, first == wordLetters[0] else {
                continue
            }
            let capitals = wordLetters.count { $0 <= UInt8(ascii: "Z") }
            let isCapitalized = capitals == 1 && wordLetters[0] <= UInt8(ascii: "Z")
            let wordCase: Case =
                switch capitals {
                case 0: .lower
                case wordLetters.count: .upper
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
            let isLetterOrNumber =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            if !scalar.isASCII, isLetterOrNumber { marks.insert(.nonASCIILetter) }
        }
    }
}
