package import APOD

/// The part of NASA's entry that the record of a day stores: its texts and addresses.
///
/// NASA edited an entry if its new one differs here. A text that is a damaged copy of an earlier one is replaced by
/// that, see ``String/isDamagedCopy(of:)``.
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
    }
}

extension EntryText {
    /// The fields whose texts NASA was seen to damage; `url` only of a video, which has no `hdurl`.
    package enum Field: String, CaseIterable, Sendable {
        case title, explanation, url, copyright, credit, alt
    }

    /// The text of `field`; empty if there is none, also for the title that stands for a missing one.
    subscript(field: Field) -> String {
        get {
            switch field {
            case .title: title == Entry.untitled ? "" : title
            case .explanation: explanation
            case .url: url ?? ""
            case .copyright: copyright ?? ""
            case .credit: credit ?? ""
            case .alt: alt ?? ""
            }
        }
        set {
            switch field {
            case .title: title = newValue
            case .explanation: explanation = newValue
            case .url: url = newValue
            case .copyright: copyright = newValue
            case .credit: credit = newValue
            case .alt: alt = newValue
            }
        }
    }

    /// Replaces damaged texts by those of `other`.
    ///
    /// Of a file that a user gave to `apod-mirror adopt` (`isFromUserFile`), a text is not taken if it may be the
    /// damaged one itself, nor an address, which may lead to another site.
    ///
    /// - Returns: The texts that were replaced.
    mutating func takeBetter(
        from other: EntryText, isFromUserFile: Bool = false
    ) -> [Field: String] {
        var damaged: [Field: String] = [:]
        for field in Field.allCases where !isFromUserFile || field != .url {
            let (text, better) = (self[field], other[field])
            let isDamaged =
                field == .url ? text.isWithoutOffset(of: better) : text.isDamagedCopy(of: better)
            guard isDamaged, !isFromUserFile || !better.isDamagedCopy(of: text) else { continue }
            damaged[field] = text
            self[field] = better
        }
        // Markup with links is better than none, as long as its letters are those of the text.
        if let text = damaged[.explanation],
            other.explanationHTML != nil || text.asciiLetters != explanation.asciiLetters
        {
            explanationHTML = other.explanationHTML
        }
        return damaged
    }

    /// Takes from `earlier` the fields that are missing here and are none of ``Field``, and a missing address.
    mutating func fill(from earlier: EntryText) {
        if explanation == earlier.explanation {
            explanationHTML = explanationHTML ?? earlier.explanationHTML
        }
        // `other` stands for a type that NASA does not name.
        if mediaType == "other", url == earlier.url { mediaType = earlier.mediaType }
        if url == nil, earlier.url != nil {
            (url, hdurl, mediaType) = (earlier.url, earlier.hdurl, earlier.mediaType)
        } else if url == earlier.url, mediaType == earlier.mediaType {
            hdurl = hdurl ?? earlier.hdurl
        }
        // A license is that of the credited picture.
        if credit == earlier.credit { license = license ?? earlier.license }
        permalink = permalink ?? earlier.permalink
    }
}

extension String {
    /// Whether this address of a video lacks the start time that `original` has, as after NASA's move to WordPress.
    func isWithoutOffset(of original: String) -> Bool {
        func parts(_ address: String) -> (page: Substring, hasOffset: Bool) {
            // NASA embeds players, whose page names the video; the query has only options.
            let parts = address.split(separator: "?", maxSplits: 1)
            let query = parts.dropFirst().first?.split { "&;".contains($0) } ?? []
            let hasOffset = query.contains { $0.hasPrefix("t=") || $0.hasPrefix("start=") }
            return (parts.first ?? "", hasOffset)
        }
        let (copy, original) = (parts(self), parts(original))
        return copy.page == original.page && original.hasOffset && !copy.hasOffset
    }
}
