internal import Transfer

/// The license of a picture.
package struct License: Hashable, Sendable {
    /// The name in the credit, such as `CC BY 4.0`.
    package var name: String
    package var url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}

extension License {
    /// Finds the first link to a license in the nodes of a credit.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` for one that is not a web URL.
    init?(in credit: [HTMLNode], resolve: (String) -> String?) {
        var open: (url: String, name: String)?
        for node in credit {
            switch node {
            case .opening("a", let attributes):
                open = attributes["href"].flatMap(resolve).map { ($0, "") }
            case .text(let text):
                open?.name += text
            case .closing("a"):
                if let link = open, Self.isLicense(TextNormalizer.line(link.name), at: link.url) {
                    self.init(name: TextNormalizer.line(link.name), url: link.url)
                    return
                }
                open = nil
            default: break
            }
        }
        return nil
    }

    private static func isLicense(_ name: String, at url: String) -> Bool {
        guard !name.isEmpty else { return false }
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        if words.first == "cc" || words.first == "cc0" { return true }
        if words.contains("licence") || words.contains("license") { return true }
        return WebURL(link: url).map { url in
            url.domain == "creativecommons.org"
                && ["/licenses/", "/publicdomain/"].contains { url.path.hasPrefix($0) }
        } ?? false
    }
}
