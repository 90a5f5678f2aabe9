internal import Glibc

/// The names of some symbolic links of one folder, before it is read where they lead.
struct LinkNames: Sendable {
    private struct Link {
        let inode: UInt
        /// With its zero.
        let name: Range<Int>
    }

    /// All names, each ended by a zero as C has them.
    private var bytes: [UInt8] = []
    private var links: [Link] = []

    var count: Int { links.count }

    /// Adds the link that `reader` is at.
    mutating func append(_ reader: borrowing DirectoryReader) {
        let start = bytes.count
        reader.appendName(to: &bytes)
        bytes.append(0)
        links.append(Link(inode: reader.inode, name: start..<bytes.count))
    }

    /// Reads where the links lead.
    ///
    /// - Parameters:
    ///   - path: What the folder is called in the listing.
    ///   - identity: Which one it is.
    ///   - descriptor: The same, open.
    ///   - budget: How much may be kept.
    /// - Returns: The links, and what kept one from being read.
    func read(
        in path: [UInt8], _ identity: FileIdentity, _ descriptor: CInt,
        _ budget: ScanBudget = ScanBudget(ScanRules())
    ) -> DirectoryListing {
        let above = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
        var listing = DirectoryListing(of: identity)
        guard budget.isLeft || links.isEmpty else {
            let error = SystemError("scan", path: "the links", code: EOVERFLOW)
            listing.failures = [.init(path: [], error: error)]
            return listing
        }
        // All of it in one text, for there may be 100,000.
        var text: [UInt8] = []
        text.reserveCapacity(links.count * above.count + 3 * bytes.count)
        var places: [(inode: UInt, start: Int, pathEnd: Int, end: Int)] = []
        places.reserveCapacity(links.count)
        for link in links {
            let start = text.count
            text += above
            text += bytes[link.name.lowerBound..<(link.name.upperBound - 1)]
            let pathEnd = text.count
            do throws(SystemError) {
                try text.appendTarget(
                    of: bytes[link.name], in: descriptor, limit: ScanRules.targetLength)
                places.append((link.inode, start, pathEnd, text.count))
            } catch {
                listing.failures.append(.init(path: Array(text[start...]), error: error))
            }
        }
        budget.take(text.count)
        listing.parts = [
            places.map { place in
                DirectoryListing.Entry(
                    path: text[place.start..<place.pathEnd], kind: .symbolicLink,
                    identity: FileIdentity(device: identity.device, inode: place.inode),
                    target: text[place.pathEnd..<place.end], status: nil)
            }
        ]
        return listing
    }
}
