internal import APOD
internal import Mirror

/// The day that the name of a picture begins with, as other tools write it: `2026-11-20 Title.jpg`,
/// `apod-20261120.jpg`, `ap261120.jpg`.
///
/// Names of photos of cameras and phones are refused: a person's photo must not become the picture of a day.
enum NamedDay: Hashable {
    case day(Day)
    case noDate
    /// The name has a date that is not used.
    case refused(Refusal)

    /// Why a date is not used, as `adopt` prints it; the sentence names the new name where renaming makes sense.
    enum Refusal: String {
        case photo =
            "it is named like a photo of a camera; rename it to begin with the day if it is NASA’s"
        case timeFollows = "it is named like a photo or screenshot of that day"
        case dateIsNotFirst =
            "its date is behind other letters; rename it to begin with the day"
        case digitsFollow = "digits follow its date; rename it to the day, a blank and a title"
        case notOfAPOD = "its date is not a day of APOD"
    }

    /// - Parameter path: Relative to the directory of the pictures; any bytes.
    init(in path: [UInt8]) {
        let parts = path.map(\.lowercased).split(separator: UInt8(ascii: "/"))
        guard let name = parts.last else {
            self = .noDate
            return
        }
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
        let date = DateInName(startOf: stem)
        // After a day, a blank before a number is that of a title: the star KIC 8462852 is named like a photo.
        let gaps = date == nil ? "_- " : "_-"
        // mutation test: camera-name
        if Self.isCameraName(stem, gaps: gaps) {
            self = .refused(.photo)
        } else if let date {
            self = date.namedDay
        } else if DateInName.first(in: stem) != nil {
            self = .refused(.dateIsNotFirst)
        } else {
            self = .noDate
        }
    }

    /// The words that cameras and phones write before the number of a photo.
    private static let cameraWords: Set = [
        "cimg", "dcim", "dji", "dsc", "dscf", "dscn", "dscp", "gopr", "hpim", "imag", "img", "imgp",
        "kic", "mg", "mvimg", "pict", "pxl", "sam", "sdc", "wp",
    ]

    /// Whether `stem` contains a name such as `IMG_1234` or `P1010101`, or begins like `100_0042`: the number of a
    /// folder and of a photo, as the DCF standard of cameras has them.
    ///
    /// One of `gaps` may stand between the word and its number.
    private static func isCameraName(_ stem: ArraySlice<UInt8>, gaps: String) -> Bool {
        func digits(_ text: ArraySlice<UInt8>) -> Int { text.prefix(while: \.isDigit).count }
        if digits(stem) == 3, let gap = stem.dropFirst(3).first, "_-".utf8.contains(gap),
            digits(stem.dropFirst(4)) == 4
        {
            return true
        }
        return stem.split { !$0.isLowercaseLetter }.contains { letters in
            let rest = stem[letters.endIndex...]
            // A letter and seven digits, as DCF cameras name photos.
            if letters.count == 1, digits(rest) == 7 { return true }
            let number = rest.first.map(gaps.utf8.contains) == true ? rest.dropFirst() : rest
            return digits(number) >= 3
                && cameraWords.contains(String(decoding: letters, as: UTF8.self))
        }
    }
}

extension DateInName {
    /// The day of a name that begins with this date; refused if digits after it may be a part of the date.
    fileprivate var namedDay: NamedDay {
        guard let day else { return .refused(.notOfAPOD) }
        if rest.dropFirst().first?.isDigit == true, rest.first != UInt8(ascii: " ") {
            return .refused(.digitsFollow)
        }
        // A time such as 14.30, 14 30 or 143015; a title may begin with fewer digits, such as those of 10000 galaxies.
        let title = rest.drop { $0 == UInt8(ascii: " ") }
        let parts = title.prefix(5).split { !$0.isDigit }.map(\.count)
        guard parts != [2, 2], title.prefix(while: \.isDigit).count < 6 else {
            return .refused(.timeFollows)
        }
        return .day(day)
    }
}
