package import APOD
internal import FoundationEssentials
internal import Platform

/// Finds out from `latest.jpg` alone whose picture it is: `--keep` spares that day, and a link to the file is a favorite.
extension Tree {
    /// The day whose picture `latest.jpg` shows; `nil` if the file is missing, or if nothing shows its day.
    ///
    /// The view `latest` makes a link to the picture or, where links are not possible, a file with the time of the picture. A
    /// link that a person made counts, too; a file that a person made does not.
    package var latestPictureDay: Day? {
        get throws(SystemError) {
            let path = Layout.latestPicture
            guard let status = try ifPresent(root.status(path)) else { return nil }
            if let target = try root.readTarget(of: path) {
                // The file name of a picture begins with its day: `pictures/2026/2026-11/2026-11-20 M 31.jpg`.
                let isPicture = target.hasPrefix("\(Layout.pictures)/")
                return isPicture ? FileName.day(of: Layout.split(target).name) : nil
            }
            let store = Store(reading: self)
            guard try ViewFiles(of: .latest, in: store).owns(path) else { return nil }
            // The time of a picture is on its day in UTC.
            let time = Date(timeIntervalSince1970: Double(status.modified))
            guard let day = Day(utcDateOf: time),
                // Where the disk keeps no times, this is another day, whose picture differs.
                let picture = try store.record(of: day)?.picture,
                try isLatestPicture(status, madeFrom: picture)
            else { return nil }
            return day
        }
    }

    /// Whether the file `latest.jpg` is a JPEG that was converted from `picture`, or a copy of it.
    ///
    /// A converted picture names the SHA-256 of its original. A copy has the size of the original.
    private func isLatestPicture(
        _ status: FileStatus, madeFrom picture: PictureRecord
    ) throws(SystemError) -> Bool {
        let path = Layout.latestPicture
        let start = try root.openToRead(path).readStart(limit: ThumbnailFile.stampEnd, path: path)
        guard let sha256 = ThumbnailFile.originalSHA256(in: start) else {
            return status.size == picture.bytes
        }
        return sha256 == picture.sha256
    }
}
