package import APOD

/// The texts and addresses of NASA's entry that the record of a day stores.
///
/// If one of them changes, NASA has edited the entry. The mark `mutation test: …` is for Tests/Mutants.
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

    /// Removes control characters and invalid addresses, and cuts texts to their ``TextLimit``.
    ///
    /// This is done for a new entry and for a stored record, so that they can be compared.
    mutating func normalize() {
        title = title.plainText.cut(to: TextLimit.line)
        // mutation test: record-text-limit
        explanation = explanation.plainText.cut(to: TextLimit.article)
        // Markup is not cut, because the rest would break the page in which it is shown.
        explanationHTML = explanationHTML?.unlessLonger(than: TextLimit.article)?.nonEmpty
        mediaType = mediaType.cut(to: TextLimit.line).nonEmpty ?? "other"
        copyright = copyright?.cut(to: TextLimit.credit).nonEmpty
        credit = credit?.cut(to: TextLimit.credit).nonEmpty
        alt = alt?.cut(to: TextLimit.line).nonEmpty
        // Addresses are not cut, because the rest would lead elsewhere.
        url = url?.webAddress
        hdurl = hdurl?.webAddress
        permalink = permalink?.webAddress
        if license?.name.unlessLonger(than: TextLimit.line)?.nonEmpty == nil
            || license?.url.webAddress == nil
        {
            license = nil
        }
        problems = problems?.plainText.cut(to: TextLimit.line).nonEmpty
    }
}

extension EntryText {
    /// Takes the texts from the `earlier` entry that NASA does not serve any more, or that cannot be read.
    ///
    /// If NASA serves no picture and no video any more, it takes the addresses, too: the files in the mirror came from there.
    mutating func keepWhatIsMissing(of earlier: EntryText) {
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
        // “other” means that NASA does not name the type.
        if mediaType == "other", url == earlier.url { mediaType = earlier.mediaType }
    }
}

// MARK: Rules for the texts of a record

extension String {
    /// The text without control characters, except tabs and line feeds.
    var plainText: String {
        // Bytes of characters that are longer than one byte are above this range: see RFC 3629.
        let isRemoved = { (byte: UInt8) in
            byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F
        }
        guard utf8.contains(where: isRemoved) else { return self }
        return String(decoding: utf8.filter { !isRemoved($0) }, as: UTF8.self)
    }

    var nonEmpty: String? { isEmpty ? nil : self }

    /// The text; `nil` if it is not an absolute web address such as `https://apod.nasa.gov/`, or if it is too long.
    var webAddress: String? {
        guard let scheme = ["http://", "https://"].first(where: hasPrefix),
            let first = unicodeScalars.dropFirst(scheme.count).first, first != "/",
            !first.properties.isWhitespace
        else { return nil }
        return unlessLonger(than: TextLimit.encodedAddress)
    }

    /// Whether it is a SHA-256: 64 lower-case hexadecimal digits.
    package var isSHA256: Bool {
        utf8.count == 64 && utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
