internal import APOD
internal import Mirror
internal import Platform

/// Which day a file belongs to, and which files are no pictures of a day.
extension Adoption {
    // MARK: The source is of another tool

    /// The day of the picture at `path`; `nil` if it was rejected and reported.
    ///
    /// The first of these decides; "NASA's name" is the name of a file in an address of a record.
    /// 1. The name has a day, no record has it as NASA's name, and the mirror has a picture of that day and size.
    /// 2. A record has the hash of the file. Where NASA showed that picture again, the day in the name is better.
    /// 3. The name is NASA's name in the records of a single day.
    /// 4. The name has a day.
    ///
    /// The names of placeholders, and of photos of a person, prove nothing.
    func day(
        of path: [UInt8], _ file: borrowing FileDescriptor, size: Int
    ) throws(SystemError) -> (Day, AdoptionEvent.Recognition)? {
        let text = Self.text(path)
        let named = NamedDay(in: path)
        let daysWithName = Set(index.addresses(named: Layout.split(text).name).keys)
        // Without reading the file: at most, a picture that is not adopted anyway is reported under another day.
        if daysWithName.isEmpty, case .day(let day) = named, index[day] == .pictured(bytes: size) {
            return (day, .date)
        }
        if let day = try index.day(withContentsOf: file, size: size, path: text) {
            guard daysWithName.isEmpty, case .day(let other) = named, index[other] == .empty,
                isPlausible(other)
            else { return (day, .sha256) }
            // The recorded picture of `day` is missing: this is it.
            if case .lost = index[day] { return (day, .sha256) }
            // NASA showed the picture of `day` again on the day in the name.
            return (other, .date)
        }
        if Placeholder.isName(text) {
            reject(path, "NASA's placeholder")
        } else if named == .refused(.photo) {
            // NASA's pictures may be named like photos, too: only their bytes, compared above, are proof.
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

    /// Whether the file at `path` has the name and the directory that the mirror gives to a picture of its day, unless
    /// the recorded picture of that day is missing, which the file may be.
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
    static func isPictureName(_ path: [UInt8]) -> Bool {
        guard let ending = Layout.split(text(path)).name.splitAtLastDot?.ending else { return true }
        return mediaExtensions.contains(ending.dropFirst().lowercased())
    }
}
