internal import APOD
internal import Mirror

/// Reads the day at the start of the name that another tool gave to a picture.
///
/// | name | day |
/// |---|---|
/// | `2026-11-20 Title.jpg`, `apod-20261120.jpg`, `ap261120.jpg` | 2026-11-20 |
/// | `20261120-0731.jpg`, as the digits after the date may belong to it | none |
/// | `2026-11-20 14.30.jpg`, which may be a person's screenshot | none |
/// | `2026-11-20 001.jpg`, which may be the time or the number of a photo | none |
/// | `20261120 IMG_1234.jpg`, `2026-11-20 Screenshot.png`, which may be a person's photo | none |
enum NamedDay {
    /// The day of the picture at `path`; `nil` if its name does not begin with a day alone.
    static func day(in path: [UInt8]) -> Day? {
        guard let lastPart = path.split(separator: UInt8(ascii: "/")).last else { return nil }
        let name = lastPart.map(\.lowercased)[...]
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
        guard let date = DateInName(startOf: stem), !date.continuesWithDigits,
            !date.isFollowedByTimeOrNumber, !date.isFollowedByPhotoWord
        else { return nil }
        // mutation test: camera-name (see Tests/Mutants)
        guard !hasCameraName(stem) else { return nil }
        return date.day
    }

    /// The words that cameras and phones write before the number of a photo.
    private static let cameraWords: Set = [
        "cimg", "dcim", "dji", "dsc", "dscf", "dscn", "dscp", "gopr", "hpim", "imag", "img", "imgp",
        "kic", "mg", "mvimg", "pict", "pxl", "sam", "sdc", "wa", "wp",
    ]

    /// Whether `stem` contains a name such as `IMG_1234` or `P1010101`, but not a title such as `KIC 8462852`, a star.
    private static func hasCameraName(_ stem: ArraySlice<UInt8>) -> Bool {
        stem.split { !$0.isLetterOrNonASCII }.contains { word in
            let rest = stem[word.endIndex...]
            // A letter and seven digits are a name by DCF, the standard of cameras.
            if word.count == 1, rest.prefix(while: \.isDigit).count == 7 { return true }
            let number = rest.dropFirst(rest.begins(withOneOf: "_-") ? 1 : 0)
                .prefix(while: \.isDigit)
            return number.count >= 3
                && cameraWords.contains(String(decoding: word, as: UTF8.self))
        }
    }
}

/// What follows the date in a name, which is `rest`.
extension DateInName {
    /// Whether digits follow after a sign other than a blank: `20261120-0731`.
    fileprivate var continuesWithDigits: Bool {
        rest.first != UInt8(ascii: " ") && rest.dropFirst().first?.isDigit == true
    }

    /// Whether a word follows that begins the names of photos and screenshots.
    fileprivate var isFollowedByPhotoWord: Bool {
        ["bildschirmfoto", "dsc", "img", "pxl", "screenshot", "whatsapp"]
            .contains(String(decoding: nextWord, as: UTF8.self))
    }

    /// Whether a time follows, such as `14.30`, `at 9.30.15` or `143015`, or a number alone, such as `001`.
    ///
    /// A title such as `47 Tucanae` or `10000 Galaxies` is neither.
    fileprivate var isFollowedByTimeOrNumber: Bool {
        var text = Self.withoutGap(rest)
        let word = nextWord
        // The words before a time in several languages, such as “um” in German.
        if ["t", "at", "um", "a", "à", "om", "kl"].contains(String(decoding: word, as: UTF8.self)) {
            text = Self.withoutGap(text.dropFirst(word.count))
        }
        let number = text.prefix(while: \.isDigit)
        let end = text.dropFirst(number.count)
        // A file manager adds ` (1)` to the name of a copy.
        let isAlone = end.isEmpty || end.starts(with: " (".utf8)
        // Six digits are a time with seconds.
        if number.count >= (isAlone ? 3 : 6) { return true }
        let minutes = end.dropFirst().prefix(while: \.isDigit)
        return 1...2 ~= number.count && end.begins(withOneOf: " .:,-_h") && minutes.count == 2
    }

    /// The word that follows, after signs such as those of ` - at 14.30`; empty before a digit or another sign.
    private var nextWord: ArraySlice<UInt8> {
        Self.withoutGap(rest).prefix(while: \.isLetterOrNonASCII)
    }

    /// Removes the signs that separate the date from the rest of the name.
    private static func withoutGap(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.drop { " -_.".utf8.contains($0) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func begins(withOneOf characters: StaticString) -> Bool {
        guard let first else { return false }
        return characters.description.utf8.contains(first)
    }
}
