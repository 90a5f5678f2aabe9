internal import APOD
internal import Mirror
internal import Platform

/// The day that a path names: of a file in a mirror, of any file, or of a web page, whose host the path lacks.
///
/// A caller first tries the properties whose name says a place: ``dayOfMirroredFile``, ``dayOfV1File``, ``dayOfNASAPage``. The
/// others look only at the last part, and so also find the day of a copy or a download elsewhere.
extension PathText {
    /// The day of a path that ends like a picture in any mirror: `…/2026/2026-11/2026-11-20 X.jpg`.
    var dayOfMirroredFile: Day? {
        guard parts.count >= 3, let name = parts.last, let day = FileName.day(of: Array(name))
        else { return nil }
        let (year, month) = (name.prefix("2026".count), name.prefix("2026-11".count))
        return parts.dropLast().suffix(2).elementsEqual([year, month]) ? day : nil
    }

    /// The day of a file in `v1/` of a mirror: `v1/2026-11-20.json`, perhaps with more of a sentence after it.
    ///
    /// The address of such a file may stand in a note of the user, so that a full stop or a bracket may follow it.
    var dayOfV1File: Day? {
        let fileExtension = ".json".utf8
        guard let folder = parts.dropLast().last, folder.elementsEqual("v1".utf8),
            let afterDay = parts.last?.dropFirst(FileName.dayLength),
            afterDay.starts(with: fileExtension)
        else { return nil }
        let next = afterDay.dropFirst(fileExtension.count).first
        let isOtherExtension = next?.isPartOfWord ?? false
        return isOtherExtension ? nil : dayInFileName
    }

    /// The day in the last part, or else in the part before it, as in the addresses of NASA's pages.
    var dayOfNASAPage: Day? {
        parts.suffix(2).reversed().lazy.compactMap { Day(anywhereIn: $0) }.first
    }

    /// The day at the beginning of the last part, as in `Downloads/2026-11-20 X.jpg`.
    var dayInFileName: Day? { parts.last.flatMap { FileName.day(of: Array($0)) } }

    /// The day in a name of NASA's old site, such as `ap261120.html`, which many sites and programs still use.
    var dayInOldName: Day? {
        guard let name = parts.last, name.prefix(2).map(\.lowercased).elementsEqual("ap".utf8)
        else { return nil }
        return DateInName(startOf: name)?.day
    }
}
