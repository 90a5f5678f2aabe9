package import APOD

/// The texts and addresses of an entry.
package struct EntryText: Hashable, Sendable {
    package var day: Day
    package var title: String
    package var explanation: String
    package var mediaType: String
    /// The picture as NASA displays it, or the video.
    package var url: String?
    /// The original of the picture.
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

    /// Removes what no record may have, and cuts texts that are longer than ``TextLimit``: a new record and
    /// one that is read agree.
    mutating func normalize() {
        title = title.plainText.cut(to: TextLimit.line)
        // mutation test: record-text-limit
        explanation = explanation.plainText.cut(to: TextLimit.article)
        explanationHTML = explanationHTML?.ifShort(TextLimit.article)?.nonEmpty
        mediaType = mediaType.cut(to: TextLimit.line).nonEmpty ?? "other"
        copyright = copyright?.cut(to: TextLimit.credit).nonEmpty
        credit = credit?.cut(to: TextLimit.credit).nonEmpty
        alt = alt?.cut(to: TextLimit.line).nonEmpty
        (url, hdurl, permalink) = (url?.webAddress, hdurl?.webAddress, permalink?.webAddress)
        license = license.flatMap {
            $0.name.ifShort(TextLimit.line)?.nonEmpty != nil && $0.url.webAddress != nil ? $0 : nil
        }
    }
}

extension EntryText {
    /// The fields whose damage is noticed.
    package enum Field: String, CaseIterable, Sendable {
        case title, explanation, url, copyright, credit, alt
    }

    /// The text of `field`; empty if there is none.
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

    /// Replaces damaged texts by those of `other`, and returns them.
    ///
    /// Those of an archive must be better for certain, and have no addresses that count.
    mutating func takeBetter(
        from other: EntryText, isArchive: Bool = false
    ) -> [Field: String] {
        var damaged: [Field: String] = [:]
        for field in Field.allCases where !isArchive || field != .url {
            let (text, better) = (self[field], other[field])
            let isDamaged =
                field == .url ? text.isWithoutOffset(of: better) : text.isDamagedCopy(of: better)
            guard isDamaged, !isArchive || !better.isDamagedCopy(of: text) else { continue }
            damaged[field] = text
            self[field] = better
        }
        // Markup with the same letters has at least the links.
        if let text = damaged[.explanation],
            other.explanationHTML != nil || text.asciiLetters != explanation.asciiLetters
        {
            explanationHTML = other.explanationHTML
        }
        return damaged
    }
}
