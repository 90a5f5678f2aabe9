internal import APOD
internal import Mirror
internal import Platform

/// Finds the day in the address of a web page or a file, such as `https://apod.nasa.gov/apod/ap261120.html`.
///
/// Arguments of commands and shortcuts in `favorites/` have such addresses. Nothing is downloaded.
enum AddressText {
    enum Meaning: Hashable {
        /// The page of a day on the web or in a gallery.
        case page(Day)
        /// A page of the web that names no day.
        case otherPage
        /// A path on this or another machine.
        case path(PathText)
    }

    /// The meaning of the address in `text`; `nil` if `text` has no address.
    ///
    /// - `URL=https://apod.nasa.gov/apod/ap261120.html` means the page of 2026-11-20.
    /// - `gallery/2026-11.html#2026-11-20` and `v1/2026-11-20.json` are addresses even without a scheme. No other text is.
    /// - `smb://nas/apod/x.jpg`, as file managers write it, is a path: only `http` and `https` are schemes of the web.
    static func meaning(in text: String) -> Meaning? {
        let address = Address(text)
        if let day = address.dayInGallery { return .page(day) }
        if let day = address.parts.dayOfV1File { return .page(day) }
        guard let scheme = address.scheme else { return nil }
        // A shortcut has a key before the scheme: `URL=https`.
        guard scheme.hasSuffix("http") || scheme.hasSuffix("https") else {
            return .path(PathText(address.location.percentDecoded))
        }
        return address.dayOnWeb.map(Meaning.page) ?? .otherPage
    }
}

/// An address such as `https://nas:8080/gallery/2026-11.html?x=1#2026-11-20`, cut into its parts.
private struct Address {
    /// What is before `://`, in lower case; `nil` if that is missing.
    let scheme: String?
    /// What is between the scheme and the fragment: the host, the path and the query.
    let location: ArraySlice<UInt8>
    /// What follows the first `#`; in the name of a file, a `#` is percent-encoded.
    private let fragment: ArraySlice<UInt8>

    init(_ text: String) {
        let separator = text.firstRange(of: "://")
        scheme = separator.map { text[..<$0.lowerBound].lowercased() }
        let bytes = Array(text[(separator?.upperBound ?? text.startIndex)...].utf8)
        location = bytes.prefix { $0 != UInt8(ascii: "#") }
        fragment = bytes.dropFirst(location.count + 1)
    }

    private var locationWithoutQuery: ArraySlice<UInt8> {
        location.prefix { $0 != UInt8(ascii: "?") }
    }

    /// The parts of the location without the query; the first one is the host if there is a scheme.
    var parts: PathText { PathText(locationWithoutQuery.percentDecoded) }

    /// The day that a page of a mirror's gallery shows at the fragment: `gallery/2026-11.html#2026-11-20`.
    var dayInGallery: Day? { mayBeInGallery ? dayInFragment : nil }

    /// Whether the address is `…/gallery/` and a name, `…/index.html`, or only a host, as `http://apod.local`.
    private var mayBeInGallery: Bool {
        let parts = parts.parts
        if scheme != nil, parts.count == 1 { return true }
        if parts.last?.elementsEqual("index.html".utf8) == true { return true }
        return parts.dropLast().last?.elementsEqual(Layout.gallery.utf8) == true
    }

    /// The day of the fragments `2026-11-20`, `at-2026-11-20` for a card, and `on-2026-11-20` for the page of any day.
    private var dayInFragment: Day? {
        let prefix = ["at-", "on-"].first { fragment.starts(with: $0.utf8) } ?? ""
        let date = fragment.dropFirst(prefix.utf8.count)
        let isLonger = date.dropFirst(FileName.dayLength).first?.isPartOfWord ?? false
        return isLonger ? nil : Day(iso: date.prefix(FileName.dayLength))
    }

    /// The day that the address of a page of the web names, such as `https://apod.nasa.gov/apod/ap261120.html`.
    var dayOnWeb: Day? {
        // A path, a query or a port may follow the host.
        let host = location.prefix { !"/?:".utf8.contains($0) }
        let afterHost = PathText(location.dropFirst(host.count).percentDecoded)
        if let day = afterHost.dayOfMirroredFile { return day }
        // NASA has other pages with dates, so that its addresses must contain `apod`. On other sites, only a name such as
        // `ap261120.html` counts, because many of them mirror NASA's pages under these names.
        let hostName = String(decoding: host, as: UTF8.self).lowercased()
        let isNASA = hostName == "nasa.gov" || hostName.hasSuffix(".nasa.gov")
        let text = String(decoding: locationWithoutQuery, as: UTF8.self).lowercased()
        return isNASA && text.contains("apod") ? afterHost.dayOfNASAPage : afterHost.dayInOldName
    }
}
