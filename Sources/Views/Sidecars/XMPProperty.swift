/// The properties of a sidecar that the mirror writes, by their local names; see ISO 16684-1 and the IPTC Photo Metadata Standard.
enum XMPProperty: String, CaseIterable {
    case title, description, creator, rights, source
    case credit = "Credit"
    case alternativeText = "AltTextAccessibility"
    case created = "CreateDate"
    case rating = "Rating"
    case webStatement = "WebStatement"
    case usageTerms = "UsageTerms"

    /// The element of RDF around the one item of a value.
    enum Container: String {
        case list = "Seq"
        /// The item is for the language `x-default`.
        case localized = "Alt"
    }

    /// `nil` for a value that is written as text.
    var container: Container? {
        switch self {
        case .title, .description, .rights, .alternativeText, .usageTerms: .localized
        case .creator: .list
        case .source, .credit, .created, .rating, .webStatement: nil
        }
    }

    var namespace: XMPNamespace {
        switch self {
        case .title, .description, .creator, .rights, .source: .dublinCore
        case .credit: .photoshop
        case .alternativeText: .iptcCore
        case .created, .rating: .xmp
        case .webStatement, .usageTerms: .rightsManagement
        }
    }
}

/// A namespace, with the prefix that it gets where it has none.
struct XMPNamespace {
    let prefix: String
    let uri: String

    static let dublinCore = Self(prefix: "dc", uri: "http://purl.org/dc/elements/1.1/")
    static let photoshop = Self(prefix: "photoshop", uri: "http://ns.adobe.com/photoshop/1.0/")
    static let iptcCore = Self(
        prefix: "Iptc4xmpCore", uri: "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/")
    static let xmp = Self(prefix: "xmp", uri: "http://ns.adobe.com/xap/1.0/")
    static let rightsManagement = Self(
        prefix: "xmpRights", uri: "http://ns.adobe.com/xap/1.0/rights/")
    static let rdf = Self(prefix: "rdf", uri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
    /// Has the one property that says what the mirror wrote: ``Sidecar``.
    static let mirror = Self(prefix: "apodMirror", uri: "urn:apod-mirror:xmp:1.0/")
}
