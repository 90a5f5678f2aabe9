internal import APOD
internal import Glibc
package import Platform

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
        if let picture = record.picture {
            setMissingAttributes(of: record, at: picture.path, from: picture.origin)
        }
        if let video = record.video, let path = video.path {
            setMissingAttributes(of: record, at: path, from: video.url)
        }
        for path in [record.page, Layout.thumbnail(of: record.entry.day)] {
            if let path { setMissingAttributes(of: record, at: path, from: nil) }
        }
    }

    /// `address` is `nil` for a file without attributes.
    private func setMissingAttributes(
        of record: DayRecord, at path: String, from address: String?
    ) {
        guard let file = try? tree.root.openFile(path, O_RDONLY) else { return }
        if let address, file.attribute("user.xdg.comment") == nil {
            file.setAttributes(of: record, from: address)
        }
        let noon = record.entry.day.noon
        if (try? file.status(path: path).modified) != noon {
            try? file.setModified(noon, path: path)
        }
    }
}
