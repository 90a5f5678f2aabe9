package import APOD

/// The texts and addresses of NASA's entry of a day, as the record of the day (a JSON file in the mirror) stores them.
///
/// If one of them changes, NASA has edited the entry.
package struct EntryText: Hashable, Sendable {
    package var day: Day
    package var title: String
    package var explanation: String
    package var mediaType: String
    /// The URL of the video, or of the original picture if there is no video.
    package var url: String?
    /// The URL of the original picture under a key of NASA's old API, which existing tools read; `nil` for a video.
    package var hdurl: String?
    package var copyright: String?
    package var credit: String?
    package var license: License?
    package var permalink: String?
    package var alt: String?
    package var explanationHTML: String?
    /// Which fields of NASA's answer were left out, and why, for people; `nil` if none was.
    package var problems: String?

    /// The ``mediaType`` if NASA does not name the type.
    private static let unknownMediaType = "other"

    package init(_ entry: Entry) {
        day = entry.day
        title = entry.title
        explanation = entry.explanation
        mediaType = entry.mediaType
        url = entry.media.video ?? entry.media.pictures.first?.url
        hdurl = entry.media.video == nil ? entry.media.pictures.first?.url : nil
        copyright = entry.copyright
        credit = entry.credit
        license = entry.license
        permalink = entry.permalink
        alt = entry.alt
        explanationHTML = entry.explanationHTML
        problems = entry.problems.joined(separator: "; ").nonEmpty
        normalize()
    }

    /// Removes control characters and invalid addresses, and cuts texts to their ``TextLimit``.
    ///
    /// This is done for a new entry and for a stored record, so that they can be compared.
    mutating func normalize() {
        title = title.plainText.cut(to: TextLimit.line)
        // mutation test: record-text-limit (see Tests/Mutants)
        explanation = explanation.plainText.cut(to: TextLimit.article)
        // Markup is not cut, because the rest would break the page in which it is shown.
        explanationHTML = explanationHTML?.unlessLonger(than: TextLimit.article)?.nonEmpty
        mediaType = mediaType.cut(to: TextLimit.line).nonEmpty ?? Self.unknownMediaType
        copyright = copyright?.cut(to: TextLimit.credit).nonEmpty
        credit = credit?.cut(to: TextLimit.credit).nonEmpty
        alt = alt?.cut(to: TextLimit.line).nonEmpty
        // Addresses are not cut, because the rest would lead elsewhere.
        url = url?.webAddress
        hdurl = hdurl?.webAddress
        permalink = permalink?.webAddress
        if license?.isValid == false { license = nil }
        problems = problems?.plainText.cut(to: TextLimit.line).nonEmpty
    }
}

extension EntryText {
    /// Takes each text that is missing here from the `earlier` entry: NASA does not serve it any more, or it cannot be read.
    ///
    /// If NASA serves no picture and no video any more, the addresses are taken, too: the files in the mirror came from there.
    mutating func fillGaps(from earlier: EntryText) {
        if title == Entry.untitled { title = earlier.title }
        if explanation.isEmpty {
            explanation = earlier.explanation
            explanationHTML = earlier.explanationHTML
        }
        if credit == nil, copyright == nil {
            credit = earlier.credit
            copyright = earlier.copyright
            license = earlier.license
        }
        alt = alt ?? earlier.alt
        if url == nil, earlier.url != nil {
            url = earlier.url
            hdurl = earlier.hdurl
            mediaType = earlier.mediaType
        }
        if mediaType == Self.unknownMediaType, url == earlier.url { mediaType = earlier.mediaType }
    }
}

extension EntryText {
    /// This entry with the addresses of `earlier` that lead to the same files, perhaps by another host.
    func withAddresses(of earlier: EntryText) -> EntryText {
        var entry = self
        if url?.isURL(ofFileAt: earlier.url) == true { entry.url = earlier.url }
        if hdurl?.isURL(ofFileAt: earlier.hdurl) == true { entry.hdurl = earlier.hdurl }
        return entry
    }
}

extension License {
    /// Whether it has a name, which is not too long, and the address of a web page.
    fileprivate var isValid: Bool {
        !name.isEmpty && name.unlessLonger(than: TextLimit.line) != nil && url.webAddress != nil
    }
}
