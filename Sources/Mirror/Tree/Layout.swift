package import APOD
internal import Platform

/// The paths in the tree, relative to its root: where each file of the mirror is; views have more: see ``ViewName``.
package enum Layout {
    /// The pictures and videos, in directories by year and month: `pictures/2026/2026-11/`.
    package static let pictures = "pictures"
    /// The records, in such directories: `metadata/2026/2026-11/`.
    package static let metadata = "metadata"
    /// The directory in which users make links to pictures, or copies of them, to mark favorites.
    package static let favorites = "favorites"
    /// The text in an empty `favorites/` that says what the directory is for.
    package static let favoritesHint = "Drop pictures here.txt"
    /// The text in `favorites/` that says which favorites are held, and which items are unrecognized.
    package static let favoritesReport = "Favorites to check.txt"
    package static let gallery = "gallery"
    package static let thumbnails = gallery + "/thumbnails"

    /// The directory of the internal files of the mirror.
    package static let own = ".apod-mirror"
    /// What makes a directory a mirror: see ``Marker``.
    package static let marker = own + "/mirror.json"
    /// What a sync knows of the ones before: see ``SyncState``; at most one entry for each wanted day.
    package static let state = own + "/state.json"
    /// The months whose records were compared with their files: see ``CheckedMonths``.
    package static let checkedMonths = own + "/checked.json"
    /// Status and metrics of the daemon.
    package static let service = own + "/service.json"
    /// The lock of the process that writes the mirror, and the file by which all users see it.
    package static let lock = own + "/lock"
    package static let lockNotice = own + "/lock-holder"
    /// The names of both in ``own``.
    static let lockNames = FileLock.Names(lock: split(lock).name, notice: split(lockNotice).name)
    /// The day for which `--on-new` ran its command last, and how often.
    package static let newDay = own + "/new-day.json"
    /// Files that are being written, before they get their final names; the start removes what a killed process left.
    package static let incoming = own + "/incoming"
    /// Earlier versions of pictures, videos and records that NASA edited: all are kept, as long as `--keep` keeps the day.
    package static let previous = own + "/previous"
    /// Damaged files that were replaced, and what was in place of files, as long as `--keep` keeps the day.
    package static let damaged = own + "/damaged"
    /// The state of the daily verification, with a limited number of findings.
    package static let verify = own + "/verify.json"
    /// What commands ask of the daemon, which removes it when it is done: at most one a day.
    package static let requests = own + "/requests"
    /// Pictures from elsewhere that wait for NASA's entry of their day, named by day.
    package static let adopted = own + "/adopted"
    /// Removed favorites, in a directory for each day of removal, for ``Store/daysInTrash`` days.
    package static let trash = own + "/trash"
    /// The records of favorites, each with its pinned picture.
    package static let favoriteStore = own + "/favorites"
    /// What each view wrote: see ``ViewFiles``.
    package static let views = own + "/views"
    /// The pictures of which no thumbnail, rendition or conversion could be made.
    package static let failedPictures = own + "/thumbnails.json"
    /// A copy of the record of the newest day with a picture or a video.
    package static let latestRecord = "latest.json"
    /// A link to the newest picture, or a file converted from it if it is no JPEG.
    package static let latestPicture = "latest.jpg"
    /// Foreign items found in `incoming/`.
    package static let aside = own + "/aside"

    /// The names in ``own``.
    package static let ownNames = Set(
        [
            marker, state, checkedMonths, service, newDay, lock, lockNotice, incoming, previous,
            damaged, verify, requests, adopted, trash, favoriteStore, aside, views, failedPictures,
        ].map { split($0).name })

    /// The most bytes of a picture or video; larger files are not the mirror's, and are not read.
    ///
    /// 2 GiB: larger than any of APOD, and still hashed in seconds.
    package static let largestFile = 2 << 30

    /// The most bytes of a record that are read: many times the size of any of APOD.
    static let largestRecord = 16 << 20

    /// The prefix of the test files of the doctor.
    package static let doctor = own + "-doctor"

    /// The directory of `day` below `top`, such as ``pictures``: `pictures/2026/2026-11`.
    package static func folder(_ top: String, of day: Day) -> String {
        folder(top, of: Month(of: day))
    }

    static func folder(_ top: String, of month: Month) -> String {
        "\(top)/\(month.first.year)/\(month)"
    }

    /// Whether a file of `day` in ``pictures`` can have this `path`.
    ///
    /// A record that anybody edited may name any path, and must not make the mirror write or remove another file.
    package static func isPath(_ path: String, inPicturesOf day: Day) -> Bool {
        let start = "\(folder(pictures, of: day))/\(day) ".utf8
        return path.utf8.starts(with: start)
            && !path.utf8.dropFirst(start.count).contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// The path for a picture, a video, or the redirect page of a video.
    ///
    /// A file that replaces an `earlier` one keeps its name, except the extension, so that published paths do not change.
    static func mediaPath(
        of day: Day, title: String, _ fileExtension: String, replacing earlier: String?
    ) -> String {
        if let stem = earlier?.splitAtLastDot?.stem { return "\(stem).\(fileExtension)" }
        let stem = FileName.stem(of: day, title: title)
        return "\(folder(pictures, of: day))/\(stem).\(fileExtension)"
    }

    /// The file name of the record of `day`.
    package static func record(of day: Day) -> String { day.description + ".json" }

    package static func recordPath(of day: Day) -> String {
        "\(folder(metadata, of: day))/\(record(of: day))"
    }

    package static func thumbnail(of day: Day) -> String {
        "\(folder(thumbnails, of: day))/\(day).jpg"
    }

    /// A sidecar has the name of its picture, with this behind it.
    package static let sidecarExtension = ".xmp"

    /// Splits `pictures/x.jpg` into `pictures` and `x.jpg`; the folder of `x.jpg` alone is `.`.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let (above, name) = path.splitAtLastSlash else { return (".", path) }
        return (String(above), String(name))
    }
}
