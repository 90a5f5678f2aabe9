internal import APOD
internal import Mirror

/// Reads the day at the start of the name that another tool gave to a picture.
///
/// | name | day |
/// |---|---|
/// | `2026-11-20 Title.jpg`, `apod-20261120.jpg`, `ap261120.jpg` | 2026-11-20 |
/// | `20261120-0731.jpg`, as the digits after the date may belong to it | none |
/// | `2026-11-20 14.30.jpg`, which may be a person's screenshot | none |
/// | `20261120 IMG_1234.jpg`, which may be a person's photo | none |
enum NamedDay {
    /// The day of the picture at `path`; `nil` if its name does not begin with a day alone.
    static func day(in path: [UInt8]) -> Day? {
        guard let lastPart = path.split(separator: UInt8(ascii: "/")).last else { return nil }
        let name = lastPart.map(\.lowercased)[...]
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
        guard let date = DateInName(startOf: stem), !date.continuesWithDigits,
            !date.isFollowedByTime
        else { return nil }
        // mutation test: camera-name
        guard !isCameraName(stem) else { return nil }
        return date.day
    }

    /// The words that cameras and phones write before the number of a photo.
    private static let cameraWords: Set = [
        "cimg", "dcim", "dji", "dsc", "dscf", "dscn", "dscp", "gopr", "hpim", "imag", "img", "imgp",
        "kic", "mg", "mvimg", "pict", "pxl", "sam", "sdc", "wp",
    ]

    /// Whether `stem` contains a name such as `IMG_1234` or `P1010101`, but not a title such as `KIC 8462852`, a star.
    private static func isCameraName(_ stem: ArraySlice<UInt8>) -> Bool {
        func digits(_ text: ArraySlice<UInt8>) -> Int { text.prefix(while: \.isDigit).count }
        return stem.split { !$0.isLetterOrNonASCII }.contains { letters in
            let rest = stem[letters.endIndex...]
            // A letter and seven digits are a name by DCF, the standard of cameras.
            if letters.count == 1, digits(rest) == 7 { return true }
            let number = rest.first.map { "_-".utf8.contains($0) } == true ? rest.dropFirst() : rest
            return digits(number) >= 3
                && cameraWords.contains(String(decoding: letters, as: UTF8.self))
        }
    }
}

extension DateInName {
    /// Whether digits follow after a sign other than a blank: `20261120-0731`.
    fileprivate var continuesWithDigits: Bool {
        rest.first != UInt8(ascii: " ") && rest.dropFirst().first?.isDigit == true
    }

    /// Whether a time follows, such as `14.30`, `14 30` or `143015`, but not a title such as `10000 Galaxies`.
    fileprivate var isFollowedByTime: Bool {
        let title = rest.drop { $0 == UInt8(ascii: " ") }
        let hoursAndMinutes = title.prefix(5).split { !$0.isDigit }.map(\.count)
        return hoursAndMinutes == [2, 2] || title.prefix(while: \.isDigit).count >= 6
    }
}
