package import APOD
internal import Platform

/// The paths in the tree, relative to its root.
package enum Layout {
    /// Internal files of the mirror.
    package static let own = ".apod-mirror"
    package static let marker = own + "/mirror.json"
    package static let state = own + "/state.json"
    /// Status and metrics of the daemon.
    package static let service = own + "/service.json"
    /// The name of the lock in ``own``.
    package static let lock = "lock"
    package static let incoming = own + "/incoming"
    package static let previous = own + "/previous"
    /// Damaged files that were replaced, and what was in place of files.
    package static let damaged = own + "/damaged"
    /// The state of the daily verification.
    package static let verify = own + "/verify.json"
    /// What commands ask of the daemon.
    package static let requests = own + "/requests"
    /// Pictures from elsewhere that wait for NASA's entry of their day, named by day.
    package static let adopted = own + "/adopted"
    /// What retention removed, and removed favorites, in a directory for each day of removal.
    package static let trash = own + "/trash"
    /// The records of favorites, each with its pinned picture.
    package static let favoriteStore = own + "/favorites"
    /// The text in an empty `favorites/` that says what the directory is for.
    package static let favoritesHint = "Drop pictures here.txt"
    /// Marks that ``favoritesHint`` was made, which happens once.
    package static let hintMark = own + "/hint"
    /// Foreign items found in `incoming/`.
    package static let aside = own + "/aside"

    /// The most bytes of a picture or video, 2 GiB; larger files are not the mirror's, and are not read.
    package static let largestFile = 2 << 30

    /// The prefix of the test directories that the doctor creates where there is no mirror.
    package static let doctor = own + "-doctor-"

    /// The names in ``own``, without those of views.
    package static let ownNames: Set = [
        "adopted", "aside", "damaged", "favorites", "incoming", lock, "mirror.json", "previous",
        "requests", "service.json", "state.json", "trash", "verify.json",
    ]
    /// The names in the root, without those of views.
    package static let topNames: Set = [own, pictures, metadata, favorites, gallery]

    package static let favorites = "favorites"
    package static let pictures = "pictures"
    package static let metadata = "metadata"
    package static let gallery = "gallery"
    package static let thumbnails = gallery + "/thumbnails"

    /// The directory of `day` below ``pictures`` or ``metadata``: `pictures/2026/2026-11`.
    package static func folder(_ top: String, of day: Day) -> String {
        folder(top, of: Month(of: day))
    }

    static func folder(_ top: String, of month: Month) -> String {
        "\(top)/\(month.first.year)/\(month)"
    }

    /// Whether `path`, which a record may name, is that of a file of `day` in ``pictures``.
    package static func isPath(_ path: String, inPicturesOf day: Day) -> Bool {
        let (folder, name) = split(path)
        return folder == self.folder(pictures, of: day) && name.hasPrefix("\(day) ")
            && !name.utf8.contains(0)
    }

    /// The path for a picture, a video, or the page of a video: that of the `earlier` file with another
    /// extension, else one that is made from `title`.
    static func mediaPath(
        of day: Day, title: String, _ fileExtension: String, replacing earlier: String?
    ) -> String {
        if let stem = earlier?.splitAtLastDot?.stem { return "\(stem).\(fileExtension)" }
        let stem = FileName.stem(of: day, title: title)
        return "\(folder(pictures, of: day))/\(stem).\(fileExtension)"
    }

    /// The file name of the record of `day`.
    package static func record(of day: Day) -> String { "\(day).json" }

    package static func recordPath(of day: Day) -> String {
        "\(folder(metadata, of: day))/\(record(of: day))"
    }

    package static func thumbnail(of day: Day) -> String {
        "\(folder(thumbnails, of: day))/\(day).jpg"
    }

    /// What is appended to the name of a picture for the name of its sidecar.
    package static let sidecarExtension = ".xmp"

    /// Splits a path into directory and name.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let (above, name) = path.splitAtLastSlash else { return (".", path) }
        return (String(above), String(name))
    }
}
