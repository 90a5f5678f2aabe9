internal import APOD
internal import Mirror
internal import Platform

/// Links that pages and sidecars contain.
extension String {
    /// This path as a relative link; see RFC 3986, section 4.2.
    var percentEncodedPath: String { percentEncoded(keeping: "-._~/") }

    /// The URL to which this link of a record leads on the web; `nil` if it does not lead to the web.
    ///
    /// A link to a day may be relative: it then leads to NASA's page of that day.
    var webAddress: String? {
        if let address = ArchiveLink(self)?.webAddress { return address }
        return encodedWebLink
    }
}
