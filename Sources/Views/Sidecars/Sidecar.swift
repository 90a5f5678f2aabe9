internal import APOD
internal import Mirror
internal import Platform

/// The contents of a sidecar, `NAME.jpg.xmp`, from which photo managers read the title, the text and the rating of a picture.
///
/// XMP is an XML format; see ISO 16684-1 and the IPTC Photo Metadata Standard.
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
        // Bytes below 0x20 are control characters: in UTF-8, no longer character has such a byte; see RFC 3629.
        let bytes = (text ?? "").utf8.filter { $0 >= 0x20 || $0 == 0x9 || $0 == 0xA }
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing("\u{FFFE}", by: "").replacing("\u{FFFF}", by: "")
        return text.isEmpty ? nil : text.htmlEscaped
    }
}
