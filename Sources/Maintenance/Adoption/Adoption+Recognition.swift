internal import APOD
internal import Mirror
internal import Platform

/// Which files are considered, and which day each belongs to.
extension Adoption {
    // MARK: The day

    /// The day of the file at `path`; `nil` if the file was rejected and reported.
    func day(
        of path: [UInt8], _ file: borrowing FileDescriptor, _ bytes: Int
    ) throws(SystemError) -> (Day, AdoptionEvent.Recognition)? {
        let text = Self.text(path)
        let named = NamedDay(in: path)
        let daysWithName = Set(index.addresses(named: Layout.split(text).name).keys)
        if daysWithName.isEmpty, case .day(let day) = named, index[day] == .pictured(bytes: bytes) {
            return (day, .date)
        }
        if let day = try index.day(of: file, bytes, path: text) {
            guard daysWithName.isEmpty, case .day(let other) = named, index[other] == .empty,
                isPlausible(other)
            else { return (day, .sha256) }
            if case .lost = index[day] { return (day, .sha256) }
            // NASA showed the picture of `day` again on the day in the name.
            return (other, .date)
        }
        guard !Placeholder.isName(text) else {
            reject(path, "NASA's placeholder")
            return nil
        }
        // NASA's pictures may be named like photos, too: only their bytes, compared above, are proof.
        if named == .refused(.photo) {
            reject(path, NamedDay.Refusal.photo.rawValue)
            return nil
        }
        if let day = daysWithName.first {
            if daysWithName.count == 1 { return (day, .name) }
            reject(path, "several days have a picture of this name")
            return nil
        }
        switch named {
        case .day(let day):
            if isPlausible(day) { return (day, .date) }
            reject(path, "NASA published nothing on \(day)")
        case .refused(let refusal): reject(path, refusal.rawValue)
        case .noDate: reject(path, "no date in its name, and no record has its bytes or its name")
        }
        return nil
    }

    private func isPlausible(_ day: Day) -> Bool {
        !Day.neverPublished.contains(day) && dates.contains(day)
    }

    // MARK: The mirror itself

    /// Whether the directory at `path` of the mirror is searched: `pictures/`, and `image/` as NASA has it.
    func isOwnFolder(_ path: [UInt8]) -> Bool {
        let top = path.prefix { $0 != UInt8(ascii: "/") }
        return [Layout.pictures, "image"].contains { top.elementsEqual($0.utf8) }
    }

    /// Whether the file at `path` is in its place in the mirror, and is not to replace a lost picture.
    func isInPlace(_ path: [UInt8]) -> Bool {
        guard isOwn, let day = placedDay(of: path) else { return false }
        return if case .lost = index[day] { false } else { true }
    }

    /// The day of a file with the name and directory that the mirror gives it; `nil` for other files.
    private func placedDay(of path: [UInt8]) -> Day? {
        guard let text = String(validating: path, as: UTF8.self) else { return nil }
        let (folder, name) = Layout.split(text)
        guard let day = FileName.day(of: name), name.hasPrefix("\(day) "),
            folder == Layout.folder(Layout.pictures, of: day), MediaType(ofName: name) != nil
        else { return nil }
        return day
    }

    /// The proven day of a file that is not in its place; `nil` if the file may be a user's.
    func ownDay(
        of path: [UInt8], _ file: borrowing FileDescriptor, _ bytes: Int
    ) throws(SystemError) -> (Day, AdoptionEvent.Recognition)? {
        let text = Self.text(path)
        if let day = try index.day(of: file, bytes, path: text) { return (day, .sha256) }
        let isTop = [".", Layout.pictures].contains(Layout.split(text).folder)
        guard isTop, acceptsDatesAlone, let day = Day(wholeNameOf: path),
            !index.recorded.contains(day), dates.contains(day)
        else { return nil }
        return (day, .date)
    }

    // MARK: Names

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

    private static let endings: Set = [
        "jpg", "jpeg", "jpe", "png", "gif", "webp", "tif", "tiff", "avif", "heic", "mp4",
    ]

    /// Whether the name of a file is that of a picture or video, or has no extension.
    static func isPictureName(_ path: [UInt8]) -> Bool {
        guard let ending = Layout.split(text(path)).name.splitAtLastDot?.ending else { return true }
        return endings.contains(ending.dropFirst().lowercased())
    }
}
