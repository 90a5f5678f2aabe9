package import APOD
internal import MediaFormat
internal import Platform

/// Where each file of a mirror is: a name or a function here is a path relative to the root, unless its comment says otherwise.
///
/// ``ViewName/places`` lists the paths of most files that the views make.
package enum Layout {
    // MARK: What a user sees

    /// The directory of the pictures and videos, with directories by year and month: `pictures/2026/2026-11/`.
    package static let pictures = "pictures"
    /// The directory of the records, with directories by year and month: `metadata/2026/2026-11/`.
    package static let metadata = "metadata"
    /// The directory in which users make links to pictures, or copies of them, to mark favorites.
    package static let favorites = "favorites"
    package static let gallery = "gallery"
    package static let thumbnails = gallery + "/thumbnails"
    /// A copy of the record of the newest day that has a picture or a video.
    package static let latestRecord = "latest.json"
    /// A link to the newest picture, or a JPEG converted from it if it has another type.
    package static let latestPicture = "latest.jpg"

    // MARK: The internal directory

    /// The mirror's own directory, for internal files.
    package static let own = ".apod-mirror"
    /// The file that makes a directory a mirror: see ``Marker``.
    package static let marker = own + "/mirror.json"
    /// The file that the process which writes the mirror keeps locked.
    package static let lock = own + "/lock"
    /// The file that says to all users which process holds the lock.
    package static let lockNotice = own + "/lock-holder"

    // State files.

    /// What a sync saves for the next one, with at most one entry for each wanted day: see ``SyncState``.
    package static let state = own + "/state.json"
    /// The months whose records were compared with their files: see ``CheckedMonths``.
    package static let checkedMonths = own + "/checked.json"
    /// What the daemon writes for `status` and for metrics.
    package static let service = own + "/service.json"
    /// The state of the daily verification, with a limited number of findings.
    package static let verify = own + "/verify.json"
    /// The last day for which the command of `--on-new` ran, and how often it ran.
    package static let newDay = own + "/new-day.json"
    /// The list of the pictures of which no thumbnail, rendition or conversion could be made.
    package static let failedPictures = own + "/thumbnails.json"

    // Directories.

    /// The directory of files that are being written and have no final name yet; the start removes those of killed processes.
    package static let incoming = own + "/incoming"
    /// The directory of the pictures, videos and records that NASA replaced; `--keep` deletes the files of removed days.
    package static let previous = own + "/previous"
    /// The directory of damaged files, and of foreign items in place of files; `--keep` spares what may be an edit.
    package static let damaged = own + "/damaged"
    /// The directory of foreign items that were found in `incoming/`, or in the place of a file of the mirror.
    package static let aside = own + "/aside"
    /// The directory of pictures that `adopt` imported before NASA's entry of their day was known: `2026-11-20.jpg`.
    package static let adopted = own + "/adopted"
    /// The directory of the records of favorites, each beside its pin, which is the favorite's own hard link to its picture.
    package static let favoriteStore = own + "/favorites"
    /// The directory of removed favorites, by day of removal; they stay for ``Store/daysInTrash`` days.
    package static let trash = own + "/trash"
    /// The directory of requests by commands, at most one for each day; the daemon deletes a request when it has done it.
    package static let requests = own + "/requests"
    /// The directory of the tables of what each view wrote: see ``ViewTable``.
    package static let views = own + "/views"

    /// The state files that a person may delete; what they have is then found out again.
    package static let deletableFiles: Set = [
        state, checkedMonths, service, verify, newDay, failedPictures,
    ]

    /// The names of all files and directories in ``own``, which `doctor` checks: a new one must be added here.
    package static let ownNames = Set(
        deletableFiles.union([
            marker, lock, lockNotice,
            incoming, previous, damaged, aside, adopted, favoriteStore, trash, requests, views,
        ]).map { split($0).name })

    /// The names of ``lock`` and ``lockNotice`` in the directory ``own``.
    static let lockNames = FileLock.Names(lock: split(lock).name, notice: split(lockNotice).name)

    // MARK: Files of a day

    /// The directory of `day` below `top`, such as ``pictures``: `pictures/2026/2026-11`.
    package static func folder(_ top: String, of day: Day) -> String {
        folder(top, of: Month(of: day))
    }

    static func folder(_ top: String, of month: Month) -> String {
        "\(top)/\(month.first.year)/\(month)"
    }

    package static func recordPath(of day: Day) -> String {
        "\(folder(metadata, of: day))/\(recordName(of: day))"
    }

    /// The name of the record of `day`, without its directory.
    package static func recordName(of day: Day) -> String { "\(day).json" }

    package static func thumbnail(of day: Day) -> String {
        "\(folder(thumbnails, of: day))/\(day).jpg"
    }

    /// The path for a picture, a video, or the redirect page of a day.
    ///
    /// If the file replaces one at the path `earlier`, it keeps that name except for the extension, so that links to it stay
    /// valid although NASA changed the title.
    static func mediaPath(
        of day: Day, title: String, fileExtension: String, replacing earlier: String?
    ) -> String {
        if let stem = earlier?.splitAtLastDot?.stem { return "\(stem).\(fileExtension)" }
        let stem = FileName.stem(of: day, title: title)
        return "\(folder(pictures, of: day))/\(stem).\(fileExtension)"
    }

    /// Whether `path` is in the directory of `day` in ``pictures``, and the file name begins with the day.
    ///
    /// A person may edit a record. Its path must not make the mirror write or delete another file.
    package static func isPath(_ path: String, inPicturesOf day: Day) -> Bool {
        let start = "\(folder(pictures, of: day))/\(day) ".utf8
        return path.utf8.starts(with: start)
            && !path.utf8.dropFirst(start.count).contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    // MARK: Names and parts of names

    /// The name of a text file in an empty `favorites/`, which says what the directory is for.
    package static let favoritesHint = "Drop pictures here.txt"
    /// The name of a text file in `favorites/`: the items that name no day, and the links whose removal is not believed yet.
    package static let favoritesReport = "Favorites to check.txt"
    /// The beginning of the names of the files with which the command `doctor` tests the disk.
    package static let doctorPrefix = own + "-doctor"
    /// What follows the name of a picture in the name of its sidecar: `2026-11-20 M 31.jpg.xmp`.
    package static let sidecarExtension = ".xmp"
    /// What follows the day in the name of a pin, such as `.jpg`; copies that other programs make have other names.
    package static let pinEndings = Set(MediaType.allCases.map { ".\($0.fileExtension)"[...] })

    /// Splits `pictures/x.jpg` into the directory `pictures` and the name `x.jpg`; the directory of `x.jpg` alone is `.`.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let (above, name) = path.splitAtLastSlash else { return (".", path) }
        return (String(above), String(name))
    }

    // MARK: Limits of sizes

    /// The most bytes of a picture or video (2 GiB): a larger file cannot be the mirror's, and is not read.
    ///
    /// No file of APOD is so large, and one of this size is still hashed in seconds.
    package static let largestFile = 2 << 30

    /// The most bytes of a record that are read (16 MiB): many times the size of any record.
    static let largestRecord = 16 << 20
}
