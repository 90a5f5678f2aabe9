internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures, `NAME.jpg.xmp`, from which photo managers read titles, texts and ratings.
///
/// A sidecar that a photo manager or a person has changed stays as it is.
///
/// The view stores a digest of the files of each month, and skips a month whose digest is the same as now. It stores the
/// digest after an update that changed nothing in the month. A changed month is therefore updated twice: the first update
/// writes files, which changes the digest. The ``ViewTable`` cannot tell which months to skip, because a photo manager may
/// have written into all sidecars of a month.
struct SidecarsView: View {
    static let title = "the sidecars"
    /// The file of the digests; if it is lost or damaged, all months are updated once more.
    private static let path = "\(Layout.views)/sidecars-months.json"

    /// The digests of the months that are up to date, by their names such as `2026-11`; `nil` before the file is read.
    private let digests = SharedValue([String: String]?.none)

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let files = input.files(of: .sidecars)
        let earlier = try digests.withLock(\.self) ?? input.store.tree.state(at: Self.path) ?? [:]
        var new = earlier
        do {
            for days in input.snapshot.days.months {
                try Task.checkCancellation()
                guard let first = days.first else { continue }
                let month = SidecarMonth(days: days, input: input, files: files)
                let (name, digest) = ("\(Month(of: first.day))", month.digest)
                guard new[name] != digest else { continue }
                var made = ViewOutcome()
                try month.update(&made)
                // A month with a problem is not skipped next time: the problem may be solved without a change of a file.
                let hasChangedNothing = made == ViewOutcome()
                new[name] = hasChangedNothing ? digest : nil
                outcome.merge(made)
                // All problems are files that cannot be read, and a disk that fails has thousands.
                outcome.problems = Array(outcome.problems.prefix(ViewOutcome.maximumReadErrors))
                await Task.yield()
            }
        } catch {
            // This error is more important than an error of saving, which only causes another update.
            try? save(new, after: earlier, in: input.store)
            throw error
        }
        try save(new, after: earlier, in: input.store)
        return outcome
    }

    private func save(
        _ new: [String: String], after earlier: [String: String], in store: Store
    ) throws(SystemError) {
        if new != earlier { try store.write(new, to: Self.path) }
        digests.withLock { $0 = new }
    }
}

/// The sidecars of one month.
private struct SidecarMonth {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    let files: ViewFiles

    /// Changes whenever something changes that ``update(_:)`` reads or writes.
    var digest: String {
        var digest = InputDigest()
        for index in days.indices {
            digest.add(days[index].day.number)
            digest.add(days[index].record)
            digest.add(input.favorites.contains(days[index].day) ? 1 : 0)
            digest.addMedia(of: days[index])
        }
        return digest.text
    }

    /// Writes each sidecar that is outdated, removes each that is obsolete, and adds to `outcome` what it did.
    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        var wanted: [ViewFiles.File] = []
        // Sidecars of pictures that `--keep` removed, or that NASA replaced by pictures of another type.
        var obsolete: [String] = []
        for dayFiles in days where dayFiles.record != nil {
            guard let record = try readRecord(of: dayFiles.day, &outcome) else { continue }
            var sidecars: [String] = []
            for path in record.files.map(\.path)
            where Layout.isPath(path, inPicturesOf: dayFiles.day) {
                if try dayFiles.stamp(ofFileAt: path, in: input.root) != nil {
                    sidecars.append(path + Layout.sidecarExtension)
                }
            }
            let isFavorite = input.favorites.contains(dayFiles.day)
            wanted += sidecars.map {
                let sidecar = Sidecar(record: record, isFavorite: isFavorite)
                return ViewFiles.File(path: $0, bytes: sidecar.bytes)
            }
            obsolete += dayFiles.media.map(\.path).filter {
                $0.hasSuffix(Layout.sidecarExtension) && !sidecars.contains($0)
            }
        }
        // A sidecar that a photo manager or a person wrote stays, and is no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete))
        outcome.addWithoutObstructions(try files.publish(wanted))
    }

    /// The record of `day`; if it cannot be read, that is a problem in `outcome`, so that the month is updated again.
    private func readRecord(
        of day: Day, _ outcome: inout ViewOutcome
    ) throws(SystemError) -> DayRecord? {
        var records = RecordIterator(store: input.store, days: [])
        defer { outcome.addReadErrors(of: records, consequence: "its sidecar is left as it is") }
        return try records.record(of: day)
    }
}

/// The text of a sidecar in XMP; see ISO 16684-1 and the IPTC Photo Metadata Standard.
struct Sidecar {
    let record: DayRecord
    let isFavorite: Bool

    var bytes: [UInt8] {
        let text = """
            <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
                xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
                xmlns:dc="http://purl.org/dc/elements/1.1/"
                xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
                xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
                xmlns:xmp="http://ns.adobe.com/xap/1.0/"
                xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/">
            \(elements.joined(separator: "\n"))
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return Array(text.utf8)
    }

    private var elements: [String] {
        let entry = record.entry
        // The modification time of the picture is noon, too, see `Day.noon`.
        let noon = "\(entry.day)T12:00:00Z"
        // Some photo managers show `dc:creator`, others `photoshop:Credit`.
        let creator = entry.credit ?? entry.copyright
        // A license whose terms cannot be looked up on the web is left out.
        let license = entry.license.flatMap { $0.url.encodedWebLink == nil ? nil : $0 }
        return [
            localized("dc:title", entry.title),
            localized("dc:description", entry.explanation),
            // Immich prefers the ImageDescription in the picture, such as the name of a camera, to `dc:description`.
            localized("tiff:ImageDescription", entry.explanation),
            listed("dc:creator", creator),
            localized("dc:rights", entry.copyright.map { "© \($0)" }),
            plain("dc:source", entry.permalink?.webAddress),
            plain("photoshop:Credit", creator),
            localized("Iptc4xmpCore:AltTextAccessibility", entry.alt),
            plain("xmp:CreateDate", noon),
            // PhotoPrism and darktable read no other date.
            plain("photoshop:DateCreated", noon),
            plain("xmp:Rating", isFavorite ? "5" : nil),
            plain("xmpRights:WebStatement", license?.url),
            localized("xmpRights:UsageTerms", license?.name),
        ].compactMap(\.self)
    }

    private func plain(_ name: String, _ text: String?) -> String? {
        xml(text).map { "   <\(name)>\($0)</\(name)>" }
    }

    /// An element whose value may differ by language: it has the text for the language `x-default`.
    private func localized(_ name: String, _ text: String?) -> String? {
        xml(text).map {
            "   <\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\($0)</rdf:li></rdf:Alt></\(name)>"
        }
    }

    /// An element whose value is a list with one item.
    private func listed(_ name: String, _ text: String?) -> String? {
        xml(text).map { "   <\(name)><rdf:Seq><rdf:li>\($0)</rdf:li></rdf:Seq></\(name)>" }
    }

    /// The escaped text, without characters that XML 1.0 excludes in section 2.2; `nil` if it is empty.
    private func xml(_ text: String?) -> String? {
        // No byte of a longer character is below 0x20; see RFC 3629.
        let bytes = (text ?? "").utf8.filter { $0 >= 0x20 || $0 == 0x9 || $0 == 0xA }
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("\u{FFFE}", by: "").replacing("\u{FFFF}", by: "")
        return text.isEmpty ? nil : text.htmlEscaped
    }
}
