internal import APOD
internal import Glibc
package import Platform

extension DayRecord {
    /// The modification time of a file that is published with this record, in seconds since 1970: 12:00 UTC of its day,
    /// a second later for each revision, at most 23:59:59.
    ///
    /// NASA replaces pictures under their addresses. A browser and rsync(1) compare the time: by it they find another
    /// picture of the same path and size.
    package var fileTime: Int { entry.day.noon + min(max(revision, 1), 43_200) - 1 }

    /// Whether a file of this record may have that modification time: one that an edit did not replace has the time of
    /// an earlier revision.
    func mayHaveFile(modified seconds: Int) -> Bool {
        (entry.day.noon...fileTime).contains(seconds)
    }
}

extension FileDescriptor {
    /// Sets the extended attributes of a picture or video of `record`, as far as the file system has them;
    /// `address` is empty if it is not known where NASA has the file.
    package func setAttributes(of record: DayRecord, from address: String) {
        if !address.isEmpty { setAttribute("user.xdg.origin.url", address) }
        if let permalink = record.entry.permalink {
            setAttribute("user.xdg.referrer.url", permalink)
        }
        setAttribute("user.xdg.comment", record.entry.title)
    }
}

extension Store {
    /// Sets the modification times of the files of `record`, and the attributes of its picture and video,
    /// where they are missing; those of another user's files stay.
    package func setMissingAttributes(of record: DayRecord) {
        // The times are in the snapshot.
        defer { snapshots.recordChange(of: record.entry.day) }
        if let picture = record.picture {
            setMissingAttributes(of: record, at: picture.path, from: picture.origin)
        }
        if let video = record.video, let path = video.path {
            setMissingAttributes(of: record, at: path, from: video.url)
        }
        if let page = record.page { setMissingAttributes(of: record, at: page, from: nil) }
    }

    /// `address` is `nil` for a file without attributes.
    private func setMissingAttributes(
        of record: DayRecord, at path: String, from address: String?
    ) {
        guard let file = try? tree.root.openFile(path, O_RDONLY) else { return }
        if let address, file.attribute("user.xdg.comment") == nil {
            file.setAttributes(of: record, from: address)
        }
        guard let modified = try? file.status(path: path).modified,
            !record.mayHaveFile(modified: modified)
        else { return }
        try? file.setModified(record.fileTime, path: path)
    }
}
