package import APOD

/// The part of NASA's entry that the record of a day stores: its texts and addresses.
///
/// NASA edited an entry if its new one differs here.
package struct EntryText: Hashable, Sendable {
    package var day: Day
    package var title: String
    package var explanation: String
    package var mediaType: String
    /// The URL of the video, else of the original of the picture, as ``hdurl``.
    package var url: String?
    /// The URL of the original of the picture, a key of NASA's old API, which tools read; `nil` for a video.
    package var hdurl: String?
    package var copyright: String?
    package var credit: String?
    package var license: License?
    package var permalink: String?
    package var alt: String?
    package var explanationHTML: String?
    /// What is wrong with the fields of NASA's answer that were left out; `nil` if none was.
    package var problems: String?

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
        problems = entry.problems.joined(separator: "; ")
        normalize()
    }

    /// Removes what no record may have, and cuts texts to ``TextLimit``, both of a new entry and of a record that
    /// is read, so that the two can be compared.
    mutating func normalize() {
        title = title.plainText.cut(to: TextLimit.line)
        // mutation test: record-text-limit
        explanation = explanation.plainText.cut(to: TextLimit.article)
        // Cut markup would break the page around it.
        explanationHTML = explanationHTML?.ifShort(TextLimit.article)?.nonEmpty
        mediaType = mediaType.cut(to: TextLimit.line).nonEmpty ?? "other"
        copyright = copyright?.cut(to: TextLimit.credit).nonEmpty
        credit = credit?.cut(to: TextLimit.credit).nonEmpty
        alt = alt?.cut(to: TextLimit.line).nonEmpty
        // A cut address would lead elsewhere.
        (url, hdurl, permalink) = (url?.webAddress, hdurl?.webAddress, permalink?.webAddress)
        license = license.flatMap {
            $0.name.ifShort(TextLimit.line)?.nonEmpty != nil && $0.url.webAddress != nil ? $0 : nil
        }
        problems = problems?.plainText.cut(to: TextLimit.line).nonEmpty
    }
}

extension EntryText {
    /// Takes the texts from `earlier` that NASA does not serve, or not so that they can be read, and the addresses where it
    /// serves no media any more: the files of the mirror are from there.
    ///
    /// All other texts are the newest.
    mutating func keepWhatIsMissing(of earlier: EntryText) {
        if title == Entry.untitled { title = earlier.title }
        if explanation.isEmpty {
            (explanation, explanationHTML) = (earlier.explanation, earlier.explanationHTML)
        }
        if credit == nil, copyright == nil {
            (credit, copyright, license) = (earlier.credit, earlier.copyright, earlier.license)
        }
        alt = alt ?? earlier.alt
        if url == nil, earlier.url != nil {
            (url, hdurl, mediaType) = (earlier.url, earlier.hdurl, earlier.mediaType)
        }
        // `other` stands for a type that NASA does not name.
        if mediaType == "other", url == earlier.url { mediaType = earlier.mediaType }
    }
}
