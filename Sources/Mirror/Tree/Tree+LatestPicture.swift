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
            if let target = try root.readTarget(of: path) { return Self.day(ofLinkTo: target) }
            return try dayOfLatestFile(status)
        }
    }

    /// The day in the name of a picture, with which it begins: `pictures/2026/2026-11/2026-11-20 M 31.jpg`.
    private static func day(ofLinkTo target: String) -> Day? {
        guard target.hasPrefix("\(Layout.pictures)/") else { return nil }
        return FileName.day(of: Layout.split(target).name)
    }

    /// The day whose picture the file `latest.jpg` with this `status` shows; `nil` if the view `latest` has not written it.
    private func dayOfLatestFile(_ status: FileStatus) throws(SystemError) -> Day? {
        let store = Store(reading: self)
        guard try ViewFiles(of: .latest, in: store).owns(Layout.latestPicture) else { return nil }
        // The time of a picture is on its day in UTC.
        let time = Date(timeIntervalSince1970: Double(status.modified))
        guard let day = Day(utcDateOf: time),
            // Where the disk keeps no times, this is another day, whose picture differs.
            let picture = try store.record(of: day)?.picture,
            try isLatestPicture(status, madeFrom: picture)
        else { return nil }
        return day
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
