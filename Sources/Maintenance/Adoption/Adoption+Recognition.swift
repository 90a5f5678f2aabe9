internal import APOD
internal import MediaFormat
internal import Mirror
internal import Platform

/// Which day a file belongs to, and which files are no pictures of a day.
extension Adoption {
    // MARK: The source is of another tool

    /// Recognizes the day of the picture at `path`; returns `nil` if it was rejected, and reports why.
    ///
    /// The first of these decides; "NASA's name" is the file name in a URL of a record, such as `m31_hst_4096.jpg`.
    /// 1. The name has a day, no record has it as NASA's name, and the mirror has a picture of that day and size.
    /// 2. A record has the hash of the file. If NASA showed that picture again on the day in the name, which the mirror
    ///    lacks, it is that day.
    /// 3. A name of a placeholder or of a camera's photo is rejected.
    /// 4. The name is NASA's name in the records of a single day.
    /// 5. The name has a day.
    func recognizeDay(
        of path: [UInt8], _ file: borrowing FileDescriptor, size: Int
    ) throws(SystemError) -> (Day, AdoptionEvent.Recognition)? {
        let text = Self.text(path)
        let named = NamedDay(in: path)
        let daysWithName = Set(index.addresses(named: Layout.split(text).name).keys)
        // The mirror has a picture of that day: this one is not adopted, and need not be read to be reported.
        if daysWithName.isEmpty, case .day(let day) = named, index[day] == .pictured(bytes: size) {
            return (day, .date)
        }
        if let day = try index.day(withContentsOf: file, size: size, path: text) {
            guard daysWithName.isEmpty, case .day(let other) = named, index[other] == .empty,
                isPlausible(other)
            else { return (day, .sha256) }
            // The recorded picture of `day` is missing: this is it.
            if case .lost = index[day] { return (day, .sha256) }
            return (other, .date)
        }
        if Placeholder.isName(text) {
            reject(path, "NASA's placeholder")
        } else if named == .refused(.photo) {
            // NASA's pictures may be named like photos, too: only the hash, compared above, is proof.
            reject(path, NamedDay.Refusal.photo.rawValue)
        } else if daysWithName.count > 1 {
            reject(path, "several days have a picture of this name")
        } else if let day = daysWithName.first {
            return (day, .name)
        } else {
            switch named {
            case .day(let day) where isPlausible(day): return (day, .date)
            case .day(let day): reject(path, "NASA published nothing on \(day)")
            case .refused(let refusal): reject(path, refusal.rawValue)
            case .noDate:
                reject(path, "no date in its name, and no record has its bytes or its name")
            }
        }
        return nil
    }

    // MARK: The source is the mirror

    /// Whether the directory at `path` of the mirror is searched: `pictures/`, and `image/` as NASA has it.
    func isSearchedInMirror(_ path: [UInt8]) -> Bool {
        let top = path.prefix { $0 != UInt8(ascii: "/") }
        return [Layout.pictures, "image"].contains { top.elementsEqual($0.utf8) }
    }

    /// Whether the mirror is the source, and the file at `path` has the name and the directory of a picture of its day.
    ///
    /// `false` if the recorded picture of that day is missing: the file may be that picture under a wrong title.
    func isInPlace(_ path: [UInt8]) -> Bool {
        guard sourceIsMirror, let text = String(validating: path, as: UTF8.self) else {
            return false
        }
        let (folder, name) = Layout.split(text)
        guard let day = FileName.day(of: name), name.hasPrefix("\(day) "),
            folder == Layout.folder(Layout.pictures, of: day), MediaType(ofName: name) != nil
        else { return false }
        return if case .lost = index[day] { false } else { true }
    }

    /// The day of a picture of the mirror that is not in its place; `nil` if the file may be a user's.
    ///
    /// The hash in a record proves it. In a mirror that lost its hidden files, a whole name such as `2026-11-20.jpg`
    /// does, too, at the top of the mirror or of `pictures/`, where a copy without directories has its files.
    func misplacedDay(
        of path: [UInt8], _ file: borrowing FileDescriptor, size: Int
    ) throws(SystemError) -> (Day, AdoptionEvent.Recognition)? {
        let text = Self.text(path)
        if let day = try index.day(withContentsOf: file, size: size, path: text) {
            return (day, .sha256)
        }
        let isTop = [".", Layout.pictures].contains(Layout.split(text).folder)
        guard isTop, acceptsDatesAlone, let day = Day(wholeNameOf: path),
            !index.recordedDays.contains(day), isPlausible(day)
        else { return nil }
        return (day, .date)
    }

    // MARK: Names of files that are no pictures

    /// Whether the item is hidden, or a directory `@eaDir`, in which the NAS of Synology has its thumbnails.
    static func isHidden(_ path: [UInt8]) -> Bool {
        let name = Layout.split(text(path)).name
        return name.hasPrefix(".") || name == "@eaDir"
    }

    /// Whether the directory has a name that other tools give to one of thumbnails, such as `thumbs`.
    static func isThumbnailFolder(_ path: [UInt8]) -> Bool {
        Layout.split(text(path)).name.lowercased().hasPrefix("thumb")
    }

    /// Whether the name of a file is that of a thumbnail or of a small rendition.
    static func isThumbnail(_ path: [UInt8]) -> Bool {
        let name = Layout.split(text(path)).name.lowercased()
        let stem = name.splitAtLastDot?.stem ?? name[...]
        return stem.hasPrefix("thumb")
            || ["_thumb", "-thumb", "_small"].contains { stem.hasSuffix($0) }
    }

    /// The extensions of pictures and videos, also of types that the mirror does not have: such a file is reported.
    private static let mediaExtensions: Set = [
        "jpg", "jpeg", "jpe", "png", "gif", "webp", "tif", "tiff", "avif", "heic", "mp4",
    ]

    /// Whether the name of a file is that of a picture or video, or has no extension.
    static func mayBeMedia(_ path: [UInt8]) -> Bool {
        guard let ending = Layout.split(text(path)).name.splitAtLastDot?.ending else { return true }
        return mediaExtensions.contains(ending.dropFirst().lowercased())
    }
}
