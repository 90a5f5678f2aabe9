internal import APOD
package import MediaFormat
package import Platform

/// A picture or video file that another program downloaded, after its header and its end were checked.
///
/// A person imports such files by `apod-mirror adopt`, and a sync publishes them if NASA's entry of the day fits.
package struct CheckedFile {
    package let header: MediaHeader
    package let bytes: Int
    package let sha256: String

    /// Checks `file`; `nil` if it is cut off, if it is no picture or video, or if it is larger than ``Layout/largestFile``.
    package init?(_ file: borrowing FileDescriptor, path: String) throws(SystemError) {
        bytes = try file.status(path: path).size
        guard bytes <= Layout.largestFile else { return nil }
        let result = try MediaHeader.reading(whole: file, path: path) {
            header throws(MediaHeader.Refusal) in
            try header.checkSize()
        }
        guard case .success(let header) = result else { return nil }
        self.header = header
        sha256 = try file.sha256(path: path, limit: bytes)
    }

    /// Whether its proportions differ by more than 5 % from those that NASA announces in `entry`: it is another picture.
    ///
    /// If NASA announces 4000 × 3000 pixels, a copy of 1600 × 1200 has the same shape, and a logo of 500 × 500 has not.
    func hasOtherShape(than entry: Entry) -> Bool {
        guard let size = header.size, let announced = entry.media.pictures.first?.announcedSize
        else { return false }
        let scaledWidth = Double(size.width) * Double(announced.height)
        let scaledHeight = Double(size.height) * Double(announced.width)
        return abs(scaledWidth - scaledHeight) > 0.05 * max(scaledWidth, scaledHeight)
    }

    /// Whether NASA announces a larger picture at its best address, and at no other address one of this size.
    fileprivate func isReducedCopy(of entry: Entry) -> Bool {
        guard let size = header.size, let bestAddress = entry.media.pictures.first,
            !entry.media.pictures.contains(where: size.isAsAnnounced(at:))
        else { return false }
        return size.isSmallerThanAnnounced(at: bestAddress)
    }
}

extension PictureRecord {
    /// Makes the record of a `file` that another program downloaded; its path is empty until the caller sets it.
    ///
    /// It has no address of NASA, because its bytes were not compared with those there: see ``isImported``.
    init(_ file: CheckedFile, of entry: Entry) {
        let size = file.header.size
        self.init(
            file: RecordedFile(path: "", bytes: file.bytes, sha256: file.sha256),
            type: file.header.type, width: size?.width ?? 0, height: size?.height ?? 0,
            origin: "", isReduced: file.isReducedCopy(of: entry))
    }
}
