internal import APOD
internal import Mirror
internal import Platform

/// Finds the day in the address of a web page or a file, such as `https://apod.nasa.gov/apod/ap261120.html`.
///
/// Arguments of commands and shortcuts in `favorites/` have such addresses. Nothing is downloaded.
enum AddressText {
    enum Meaning: Hashable {
        /// The address of a page of the web or of a gallery; the day is `nil` if it names none.
        case page(Day?)
        /// A path on this or another machine.
        case path(PathText)
    }

    /// The meaning of the address in `text`; `nil` if `text` has no address.
    ///
    /// - `URL=https://apod.nasa.gov/apod/ap261120.html` means the page of 2026-11-20.
    /// - `gallery/2026-11.html#2026-11-20` and `v1/2026-11-20.json` are addresses even without a scheme. No other text is.
    /// - `smb://nas/apod/x.jpg`, as file managers write it, is a path: only `http` and `https` are schemes of the web.
    static func meaning(in text: String) -> Meaning? {
        let separator = text.firstRange(of: "://")
        let afterScheme = Array(text[(separator?.upperBound ?? text.startIndex)...].utf8)
        let address = afterScheme.prefix { $0 != UInt8(ascii: "#") }
        let path = PathText(address.prefix { $0 != UInt8(ascii: "?") }.percentDecoded)
        let fragment = afterScheme.dropFirst(address.count + 1)
        let isOnServer = separator != nil
        if let day = galleryDay(of: path, fragment, isOnServer: isOnServer) ?? path.v1Day {
            return .page(day)
        }
        guard let separator else { return nil }
        let scheme = text[..<separator.lowerBound].lowercased()
        let isWeb = scheme.hasSuffix("http") || scheme.hasSuffix("https")
        // A `#` in the name of a file is percent-encoded, so that what follows `#` is no part of the path.
        return isWeb ? .page(day(ofWeb: address)) : .path(PathText(address.percentDecoded))
    }

    /// The day that a page of a mirror's gallery shows at `fragment`: `gallery/2026-11.html#2026-11-20`.
    private static func galleryDay(
        of path: PathText, _ fragment: ArraySlice<UInt8>, isOnServer: Bool
    ) -> Day? {
        let parts = path.parts
        let isFront =
            (isOnServer && parts.count == 1)
            || parts.last?.elementsEqual("index.html".utf8) == true
        let isInGallery = parts.dropLast().last?.elementsEqual(Layout.gallery.utf8) == true
        guard isFront || isInGallery else { return nil }
        // The gallery's fragments are `2026-11-20`, `at-2026-11-20` for a card, and `on-2026-11-20` for the page of any day.
        let hasPrefix = ["at-", "on-"].contains { fragment.starts(with: $0.utf8) }
        let date = fragment.dropFirst(hasPrefix ? 3 : 0)
        guard date.dropFirst(FileName.dayLength).first?.isPartOfWord != true else { return nil }
        return Day(iso: date.prefix(FileName.dayLength))
    }

    /// The day that an address without its scheme names, such as `apod.nasa.gov/apod/ap261120.html`.
    private static func day(ofWeb address: ArraySlice<UInt8>) -> Day? {
        let host = address.prefix { !"/?:".utf8.contains($0) }
        let site = String(decoding: host, as: UTF8.self).lowercased()
        let path = PathText(address.dropFirst(host.count).percentDecoded)
        if let day = path.mirroredDay { return day }
        // NASA has other pages with dates, so that its addresses must contain `apod`. On other sites, only a name such as
        // `ap261120.html` counts, because many of them mirror NASA's pages under these names.
        let isNASA = site == "nasa.gov" || site.hasSuffix(".nasa.gov")
        let page = String(decoding: address.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        let isAPOD = isNASA && page.lowercased().contains("apod")
        return isAPOD ? path.pageDay : path.oldNameDay
    }
}
