internal import Transfer

/// The license of a picture, to which its credit links.
package struct License: Hashable, Sendable {
    /// The name in the credit, such as `CC BY 4.0`.
    package let name: String
    package let url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// Finds the first link to a license in a credit, such as `<a href="…">CC BY 4.0</a>`; `nil` if there is none.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` if it is not a web URL.
    init?(in credit: [HTMLNode], resolve: (String) -> String?) {
        /// The URL of the link whose end tag was not read yet, and its text so far.
        var openLink: (url: String, text: String)?
        for node in credit {
            switch node {
            case .opening("a", let attributes):
                openLink = attributes["href"].flatMap(resolve).map { (url: $0, text: "") }
            case .text(let text):
                openLink?.text += text
            case .closing("a"):
                guard let (url, text) = openLink.take() else { continue }
                let name = TextNormalizer.line(text)
                if Self.isLicense(name, at: url) {
                    self.init(name: name, url: url)
                    return
                }
            case .opening, .closing: break
            }
        }
        return nil
    }

    /// Whether a link with this text and URL leads to a license.
    private static func isLicense(_ name: String, at url: String) -> Bool {
        guard !name.isEmpty else { return false }
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        if words.first == "cc" || words.first == "cc0" { return true }
        if words.contains("licence") || words.contains("license") { return true }
        guard let url = WebURL(link: url), url.domain == "creativecommons.org" else { return false }
        return ["/licenses/", "/publicdomain/"].contains { url.path.hasPrefix($0) }
    }
}
