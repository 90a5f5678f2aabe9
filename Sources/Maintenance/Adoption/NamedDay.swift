internal import APOD
internal import Mirror

/// The day that the name of a picture begins with, as other tools write it: `2026-11-20 Title.jpg`,
/// `apod-20261120.jpg`, `ap261120.jpg`.
///
/// Names of photos of cameras and phones name none: a person's photo must not become the picture of a day.
enum NamedDay {
    /// The day of the picture at `path`, relative to the directory of the pictures; any bytes.
    ///
    /// - Returns: `nil` if the name does not begin with a certain day.
    static func day(in path: [UInt8]) -> Day? {
        let parts = path.map(\.lowercased).split(separator: UInt8(ascii: "/"))
        guard let name = parts.last else { return nil }
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name
        guard let date = DateInName(startOf: stem), date.isAlone else { return nil }
        // mutation test: camera-name
        guard !isCameraName(stem) else { return nil }
        return date.day
    }

    /// The words that cameras and phones write before the number of a photo.
    private static let cameraWords: Set = [
        "cimg", "dcim", "dji", "dsc", "dscf", "dscn", "dscp", "gopr", "hpim", "imag", "img", "imgp",
        "kic", "mg", "mvimg", "pict", "pxl", "sam", "sdc", "wp",
    ]

    /// Whether `stem` contains a name such as `IMG_1234` or `P1010101`.
    ///
    /// A blank before a number is that of a title: the star KIC 8462852 is named like a photo.
    private static func isCameraName(_ stem: ArraySlice<UInt8>) -> Bool {
        func digits(_ text: ArraySlice<UInt8>) -> Int { text.prefix(while: \.isDigit).count }
        return stem.split { !$0.isLowercaseLetter }.contains { letters in
            let rest = stem[letters.endIndex...]
            // A letter and seven digits, as the DCF standard of cameras has them.
            if letters.count == 1, digits(rest) == 7 { return true }
            let number = rest.first.map { "_-".utf8.contains($0) } == true ? rest.dropFirst() : rest
            return digits(number) >= 3
                && cameraWords.contains(String(decoding: letters, as: UTF8.self))
        }
    }
}

extension DateInName {
    /// Whether no digits follow that may be a part of the date, or a time.
    fileprivate var isAlone: Bool {
        if rest.dropFirst().first?.isDigit == true, rest.first != UInt8(ascii: " ") { return false }
        // A time such as 14.30, 14 30 or 143015; a title may begin with fewer digits, such as those of 10000 galaxies.
        let title = rest.drop { $0 == UInt8(ascii: " ") }
        let parts = title.prefix(5).split { !$0.isDigit }.map(\.count)
        return parts != [2, 2] && title.prefix(while: \.isDigit).count < 6
    }
}
