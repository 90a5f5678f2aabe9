internal import APOD
internal import Mirror

/// The day that the path of a picture names, as other tools write it: `2026-11-20 Title.jpg`,
/// `apod-20261120.jpg`, `ap261120.jpg`, `2026/11/20.jpg`, `2026-11-20/picture.png`.
///
/// The name of the file begins with the date, also after `ap` or `apod`, or folders are named by its parts.
/// Names of photos of cameras and phones are refused: a person's photo must not become the picture of a day.
enum NamedDay: Hashable {
    case day(Day)
    case noDate
    /// The path names a date that is not used.
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
            // Year, month and day may be one folder each.
            self = Self.day(in: parts.dropLast().suffix(3) + [stem]).map { .day($0) } ?? .noDate
        }
    }

    /// The date that folders and the name of the file in them make together.
    ///
    /// Accepted are `2026/11/20`, `2026-11/20`, `2026/11/20/picture` and `2026-11-20/picture`, but not `2026/11/20th`.
    private static func day(in parts: some BidirectionalCollection<ArraySlice<UInt8>>) -> Day? {
        let dash = UInt8(ascii: "-")
        func lastParts(_ count: Int) -> [UInt8] {
            Array(parts.suffix(count).joined(separator: [dash]))
        }
        for count in stride(from: 2, through: parts.count, by: 1) {
            guard let date = DateInName(startOf: lastParts(count)), let day = date.day else {
                continue
            }
            // The date must end where a name ends: after it is nothing, or `-picture` for the name `picture`.
            let wholeNames = [[]] + (1..<count).map { [dash] + lastParts($0) }
            if wholeNames.contains(where: date.rest.elementsEqual) { return day }
        }
        return nil
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

extension Day {
    /// The day of a file whose whole name is its date, such as `2026-11-20.jpg`: see ``Adoption/acceptsDatesAlone``.
    init?(wholeNameOf path: [UInt8]) {
        let name = Layout.split(String(decoding: path, as: UTF8.self)).name
        let stem = name.splitAtLastDot?.stem ?? name[...]
        guard let date = DateInName(startOf: stem.utf8), date.rest.isEmpty, let day = date.day
        else { return nil }
        self = day
    }
}
