/// One look through a folder and all folders beneath it.
///
/// It goes through no link, opens nothing but folders, and holds few descriptors however wide or deep
/// they lie. What it cannot read it notes and leaves out.
struct FolderWalk {
    /// Called with the descriptor of each folder before its entries are read.
    typealias Visit = (_ descriptor: CInt, _ identity: FileIdentity) -> Void

    let root: Folder
    let visit: Visit
    var listing: FolderListing
    /// Folders that were found and are still to be read.
    private var waiting: [[UInt8]] = [[]]
    /// What was found that is no link.
    private var others: [FolderListing.Entry] = []

    /// What is in the folder `name`; `nil` where there is none.
    static func list(
        _ name: String, in parent: Folder, visit: @escaping Visit = { _, _ in }
    ) throws(SystemError) -> FolderListing? {
        guard let root = try parent.folder(name) else { return nil }
        var walk = FolderWalk(
            root: root, visit: visit, listing: FolderListing(of: try root.status().identity))
        walk.run()
        return walk.listing
    }

    private mutating func run() {
        while let folder = waiting.popLast() {
            do throws(SystemError) {
                try read(folder)
            } catch {
                listing.failures.append(.init(path: folder, error: error))
            }
        }
        listing.parts.append(others)
    }

    private mutating func read(_ folder: [UInt8]) throws(SystemError) {
        var reader = try DirectoryReader(opening: folder, beneath: root)
        let identity = try reader.identity()
        listing.folders += 1
        visit(reader.descriptor, identity)
        let pulse = Pulse.current
        let links = LinkBatches(folder, identity, reader.descriptor)
        var names = LinkNames()
        // No thread is left behind, whatever becomes of the rest.
        defer {
            for part in links.finish(names) {
                listing.parts += part.parts
                listing.failures += part.failures
            }
            withExtendedLifetime(reader) {}
        }
        while try reader.advance() {
            pulse?.beat()
            do throws(SystemError) {
                try add(reader, in: folder, &names)
            } catch {
                listing.failures.append(.init(path: Self.path(reader, folder), error: error))
            }
            guard names.count >= LinkBatches.size else { continue }
            links.take(names)
            names = LinkNames()
        }
    }

    private mutating func add(
        _ reader: borrowing DirectoryReader, in folder: [UInt8], _ names: inout LinkNames
    ) throws(SystemError) {
        switch reader.kind {
        case .symbolicLink:
            names.append(reader)
        case .directory:
            waiting.append(Self.path(reader, folder))
        default:
            let status = try reader.status()
            switch status.kind {
            // Only now: the file system did not say, or the name changed hands just now.
            case .symbolicLink: names.append(reader)
            case .directory: waiting.append(Self.path(reader, folder))
            default: add(reader, in: folder, status)
            }
        }
    }

    /// Adds what is no link and no folder.
    private mutating func add(
        _ reader: borrowing DirectoryReader, in folder: [UInt8], _ status: FileStatus
    ) {
        others.append(
            FolderListing.Entry(
                path: Self.path(reader, folder)[...], kind: status.kind,
                identity: status.identity, target: nil, status: status))
    }

    private static func path(_ reader: borrowing DirectoryReader, _ folder: [UInt8]) -> [UInt8] {
        var path = folder.isEmpty ? folder : folder + [UInt8(ascii: "/")]
        reader.appendName(to: &path)
        return path
    }
}

extension Folder {
    /// What is in the folder `name` and in all folders beneath it; `nil` where there is none.
    ///
    /// - Throws: ``SystemError``; ``SystemError/isNoFolder`` where a link or something else is in the way.
    package func listing(of name: String) throws(SystemError) -> FolderListing? {
        try FolderWalk.list(name, in: self)
    }
}
