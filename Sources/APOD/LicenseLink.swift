extension License {
    /// The first link in `credit` that leads to a licence.
    ///
    /// - Parameters:
    ///   - credit: The nodes of the credit.
    ///   - address: The absolute address of a link, `nil` for one that leads to no web server.
    init?(in credit: [HTMLNode], address: (String) -> String?) {
        var open: (url: String, name: String)?
        for node in credit {
            switch node {
            case .opening("a", let attributes):
                open = attributes["href"].flatMap(address).map { ($0, "") }
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
        return WebAddress(url, relativeTo: "").map { address in
            address.domain == "creativecommons.org"
                && ["/licenses/", "/publicdomain/"].contains { address.path.hasPrefix($0) }
        } ?? false
    }
}
