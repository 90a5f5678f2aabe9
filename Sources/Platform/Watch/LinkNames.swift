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

    /// Adds the links to `listing`, with where they lead, or what kept one from being read.
    ///
    /// - Parameters:
    ///   - listing: Where to.
    ///   - path: What the folder is called there.
    ///   - descriptor: The folder.
    func read(into listing: inout FolderListing, path: [UInt8], _ descriptor: CInt) {
        listing.reserve(links: links.count, bytes: bytes.count)
        for link in links { listing.addLink(bytes[link.name], link.inode, in: path, descriptor) }
    }
}
