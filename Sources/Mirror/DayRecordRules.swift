internal import APOD
internal import FoundationEssentials
internal import Transfer

// What a new look at a day makes of its record. Worse never replaces better.

extension DayRecord {
    /// The record of `entry` with what the tree has of that day so far.
    init(_ entry: Entry, after earlier: DayRecord?) {
        self.entry = EntryText(entry)
        feed = entry.feed.rawValue
        fetched = earlier?.fetched ?? .distantPast
        revision = earlier?.revision ?? 1
        video = entry.media.video.map { VideoRecord(url: $0) }
        guard let earlier else { return }
        picture = earlier.picture
        unknown = earlier.unknown
        let isSame = video?.url == earlier.video?.url
        // What is kept stays, and so does what NASA merely lost.
        let isToStay = earlier.video?.path != nil || entry.media == Media()
        if isSame || isToStay { video = earlier.video }
        // The other feed words things differently: that is no edit.
        if earlier.missing == nil, earlier.feed != feed {
            self.entry = earlier.entry
            feed = earlier.feed
        } else if entry.explanation.isEmpty {
            self.entry.explanation = earlier.entry.explanation
            self.entry.explanationHTML = earlier.entry.explanationHTML
        }
    }

    /// The record as it is to be published, `nil` where it says nothing new.
    func news(to earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        record.fetched = now
        if let earlier, entry != earlier.entry, earlier.missing == nil { record.revision += 1 }
        return record
    }

    /// Whether the picture of `entry` is to be asked for, given what the tree has.
    func wantsPicture(of entry: Entry, in tree: Tree) -> Bool {
        guard let picture, tree.exists(picture.path), !picture.isReduced else { return true }
        return feed == entry.feed.rawValue && !entry.media.pictures.isEmpty
            && !entry.media.pictures.contains { $0.url == picture.origin }
    }
}

extension PictureRecord {
    /// The record of a picture that is about to be published.
    init(_ receipt: Receipt, _ type: MediaType, _ size: PixelSize, at address: PictureAddress) {
        path = ""
        bytes = receipt.bytes
        sha256 = receipt.sha256
        self.type = type.rawValue
        width = size.width
        height = size.height
        etag = receipt.etag
        lastModified = receipt.lastModified
        origin = address.url
        // Natural sizes are rounded here and there: a pixel is no reduction.
        isReduced = size.width + 1 < address.width ?? 0 || size.height + 1 < address.height ?? 0
    }

    /// Whether it is a smaller copy, and `other` is not or is larger.
    func isWorse(than other: PictureRecord) -> Bool {
        isReduced && (!other.isReduced || width * height <= other.width * other.height)
    }
}
