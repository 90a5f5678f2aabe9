/// Which of two texts of one day is better.
///
/// NASA's move to WordPress emptied fields, cut captions to "[…]", dropped the apostrophes, hyphens and letters
/// with accents of a text, and wrote titles in one case. A text that lost something and gained nothing is
/// damaged; any other difference is an edit.
extension String {
    /// Whether this is what damage makes of `original`.
    func isDamagedCopy(of original: String) -> Bool {
        if isEmpty { return !original.isEmpty }
        let (copy, original) = (TextTraits(self), TextTraits(original))
        guard copy.letters == original.letters else {
            return ["…", "[…]", "...", "[...]"].contains(where: hasSuffix)
                && original.letters.starts(with: copy.letters)
        }
        guard copy.marks.isSubset(of: original.marks) else { return false }
        let hasLostCase =
            copy.words != original.words && copy.hasOneCase
            && original.words.contains { $0 != .lower }
        return copy.marks != original.marks || hasLostCase
    }

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
        case apostrophe, hyphen, accent
        /// The text has no U+FFFD, which stands for a lost character.
        case legible
    }

    enum Word {
        case lower, capitalized, upper, mixed
    }

    /// The letters and digits of ASCII, in lower case.
    private(set) var letters: [UInt8] = []
    /// The kinds of characters that occur: damage drops all of a kind.
    private(set) var marks: Set<Mark> = [.legible]
    /// The cases of the words; words such as "A" and "1990s" have none.
    private(set) var words: [Word] = []

    var hasOneCase: Bool { words.allSatisfy { $0 == words.first && $0 != .mixed } }

    init(_ text: String) {
        var word: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'", "`", "\u{2018}", "\u{2019}", "\u{2BC}":
                marks.insert(.apostrophe)
                continue
            case "-", "\u{2010}"..."\u{2015}", "\u{2212}": marks.insert(.hyphen)
            case "\u{FFFD}": marks.remove(.legible)
            case "a"..."z", "A"..."Z", "0"..."9":
                letters.append(UInt8(scalar.value) | 0x20)
                word.append(UInt8(scalar.value))
                continue
            default:
                if !scalar.isASCII, scalar.properties.isAlphabetic { marks.insert(.accent) }
            }
            add(&word)
        }
        add(&word)
    }

    /// Ends `word`, of letters and digits.
    private mutating func add(_ word: inout [UInt8]) {
        defer { word = [] }
        let isCapital = word.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        guard word.count > 1, word[0] > UInt8(ascii: "9") else { return }
        if isCapital.dropFirst().contains(true) {
            words.append(word.contains { $0 >= UInt8(ascii: "a") } ? .mixed : .upper)
        } else {
            words.append(isCapital[0] ? .capitalized : .lower)
        }
    }
}
