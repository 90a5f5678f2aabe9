internal import APOD
internal import MediaFormat

/// Compares the size of a picture file with the size that NASA announces for the address of a picture.
extension PixelSize {
    /// The largest difference in pixels that was seen between a size that NASA announces and the size of the file.
    private static let tolerance = 3

    /// Whether this is the size that NASA announces for `address`, within a few pixels; `false` if NASA announces none.
    ///
    /// Width and height may be exchanged, because NASA may announce a turned picture as it is stored, or as it is displayed.
    func isAsAnnounced(at address: PictureAddress) -> Bool {
        guard let announced = address.announcedSize else { return false }
        return abs(longSide - announced.longSide) <= Self.tolerance
            && abs(shortSide - announced.shortSide) <= Self.tolerance
    }

    /// Whether NASA announces a larger picture for `address`; `false` if NASA announces no size.
    func isSmallerThanAnnounced(at address: PictureAddress) -> Bool {
        guard let announced = address.announcedSize else { return false }
        return longSide < announced.longSide - Self.tolerance
            || shortSide < announced.shortSide - Self.tolerance
    }

    /// Whether a file of this size at `address` is a reduced copy.
    func isReduced(at address: PictureAddress) -> Bool {
        address.isRendition || isSmallerThanAnnounced(at: address)
    }
}
