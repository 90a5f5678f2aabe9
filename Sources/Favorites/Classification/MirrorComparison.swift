internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// Finds the day of a picture or video in `favorites/` by comparing it with the files of the mirror.
///
/// ``FileClassifier`` makes one for each scan. The files of the mirror are listed when the first picture is compared, because
/// that takes a walk through all folders of the mirror.
struct MirrorComparison {
    private let mirror: Store
    /// When the scan was over; what it shows of a file is not newer, even if the time of the file is in the future.
    private let scanEnd = Date.now
    /// The files of the mirror, or why they could not be listed; `nil` until a file is compared with them.
    private var index: Result<PictureIndex, SystemError>?

    init(with mirror: Store) { self.mirror = mirror }

    /// Recognizes a hard link to a file of the mirror by its inode, and a copy by its contents; `nil` for another file.
    ///
    /// `recordedDay` is the day to which the name of `item` referred in the last scan.
    mutating func classify(
        _ item: ScannedItem, recordedDay: Day?
    ) throws(SystemError) -> Classification? {
        let index = try pictureIndex(since: .distantPast)
        let found = try compare(item, recordedDay: recordedDay, with: index)
        // The mirror is only walked again if the item was changed after the last walk, because then the picture of which it is
        // a copy may be newer, too.
        let changed = min(item.latestPossibleChange, scanEnd)
        guard found == nil, index.walkStart < changed else { return found }
        return try compare(item, recordedDay: recordedDay, with: pictureIndex(since: changed))
    }

    /// The index by a walk that began at `date` or later.
    ///
    /// After an error, the same error is thrown for all other files of this scan, because each attempt may take long.
    private mutating func pictureIndex(since date: Date) throws(SystemError) -> PictureIndex {
        switch index {
        case .success(let made)? where made.walkStart >= date: return made
        case .failure(let error)?: throw error
        case .success?, nil: break
        }
        do throws(SystemError) {
            let made = try PictureIndex(of: mirror, since: date)
            index = .success(made)
            return made
        } catch {
            index = .failure(error)
            throw error
        }
    }

    private func compare(
        _ item: ScannedItem, recordedDay: Day?, with index: PictureIndex
    ) throws(SystemError) -> Classification? {
        if let day = try index.day(ofHardLink: item) { return .favorite(day, .hardLink) }
        guard let day = try day(ofCopy: item, recordedDay: recordedDay, by: index) else {
            // The file may be a copy of what could not be read.
            if let error = index.readError { throw error }
            return nil
        }
        // Without the record of the named day, nothing says whether its picture had the same bytes.
        if let namedDay = item.namedDay, namedDay != day, try mirror.record(of: namedDay) == nil {
            return .favorite(namedDay, .named)
        }
        return .favorite(day, .copy)
    }

    /// The day whose picture or video has the contents of `item`; `nil` if none has.
    ///
    /// NASA publishes some pictures twice. Then the date in the name decides, or else the recorded day, or else the newer day.
    private func day(
        ofCopy item: ScannedItem, recordedDay: Day?, by index: PictureIndex
    ) throws(SystemError) -> Day? {
        let likelyDays = [item.namedDay, recordedDay].compactMap(\.self)
        try index.addRecords(of: likelyDays)
        guard index.hasFile(ofSize: item.size) else { return nil }
        let sha256 = try item.sha256(in: mirror.tree.root)
        return index.day(ofSize: item.size, sha256: sha256, likelyDays: likelyDays)
    }
}
