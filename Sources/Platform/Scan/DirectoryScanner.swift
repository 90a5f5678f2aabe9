internal import Glibc

/// Lists the items in a directory and in all directories beneath it, such as those in `favorites/`.
///
/// It opens directories only, one at a time, with ``DirectoryReader``, and neither follows links nor enters mounts. A path that
/// cannot be read becomes one of the ``DirectoryListing/failures``.
struct DirectoryScanner {
    private let root: Directory
    private let rules: ScanRules
    /// Called with each directory before its entries are read.
    private let visit: (_ descriptor: CInt, _ identity: FileIdentity) -> Void
    fileprivate private(set) var listing: DirectoryListing
    private var nameCount = 0
    /// The paths of the directories that are still to be read; the empty path is that of the scanned directory.
    private var unread: [[UInt8]] = [[]]

    fileprivate init(
        _ root: Directory, _ rules: ScanRules, visit: @escaping (CInt, FileIdentity) -> Void
    ) throws(SystemError) {
        self.root = root
        self.rules = rules
        self.visit = visit
        listing = try DirectoryListing(of: root)
    }

    /// Whether there are more names than a listing may have, so that nothing more is listed.
    private var isFull: Bool { nameCount > rules.maximumNames }

    /// Reads all directories; one that is gone when its turn comes is a failure.
    ///
    /// Such a directory may have moved into one that was already read, so that the listing lacks its items. When the listing is
    /// full, the other directories are still opened for `visit`, so that their changes are noticed.
    fileprivate mutating func run() {
        while let directory = unread.popLast() {
            do throws(SystemError) {
                try read(directory)
                if !isFull { listing.directories.insert(directory) }
            } catch {
                let status = directory.isEmpty ? nil : try? root.status(directory)
                listing.failures.append(.init(path: directory, error: error, folder: status))
            }
        }
    }

    private mutating func read(_ directory: [UInt8]) throws(SystemError) {
        var reader = try DirectoryReader(opening: directory, beneath: root)
        let identity = try reader.identity()
        visit(reader.descriptor, identity)
        let prefix = directory.isEmpty ? [] : directory + [UInt8(ascii: "/")]
        while try reader.advance() {
            let name = reader.name
            if rules.isIgnored(name[...]) { continue }
            countName()
            if isFull { return }
            let path = prefix + name
            do throws(SystemError) {
                try add(reader, path, in: identity)
            } catch  where error.code == ENOENT {
                // The item was removed after its name was read.
            } catch {
                // A mount fails so, for example.
                listing.failures.append(.init(path: path, error: error))
            }
        }
    }

    /// Counts a name; the first one that is too many adds a failure, which stands for all items that the listing lacks.
    private mutating func countName() {
        let wasFull = isFull
        nameCount += 1
        guard isFull, !wasFull else { return }
        let error = SystemError("scan", path: root.path, code: EOVERFLOW)
        listing.failures.append(.init(path: [], error: error))
    }

    /// Adds the current entry of `reader`, which is at `path`; a directory is read later.
    private mutating func add(
        _ reader: borrowing DirectoryReader, _ path: [UInt8], in directory: FileIdentity
    ) throws(SystemError) {
        // A file is listed with its status. On some file systems, only the status shows what an item is.
        let isLinkOrDirectory = reader.kind == .symbolicLink || reader.kind == .directory
        let status = isLinkOrDirectory ? nil : try reader.status()
        switch status?.kind ?? reader.kind {
        case .directory: unread.append(path)
        case .symbolicLink:
            // A link cannot be a mount, so its device is that of its directory.
            let identity = FileIdentity(device: directory.device, inode: reader.inode)
            listing.items.append(
                DirectoryListing.Item(
                    path: path, identity: identity, details: .link(target: try reader.target())))
        case .file, .other, nil:
            guard let status else { return }
            listing.items.append(
                DirectoryListing.Item(
                    path: path, identity: status.identity, details: .other(status)))
        }
    }
}

extension Directory {
    /// Scans the directory `name` and all directories beneath it; returns `nil` if it does not exist.
    ///
    /// `visit` is called with each directory before its entries are read. The descriptor is open only during the call.
    package func listing(
        of name: String, by rules: ScanRules = ScanRules(),
        visit: @escaping (_ descriptor: CInt, _ identity: FileIdentity) -> Void = { _, _ in }
    ) throws(SystemError) -> DirectoryListing? {
        guard let root = try folder(name) else { return nil }
        var scanner = try DirectoryScanner(root, rules, visit: visit)
        scanner.run()
        return scanner.listing
    }
}
