internal import Glibc

/// Lists the items in a directory and in all directories beneath it.
///
/// It scans `favorites/`. It opens directories only, one at a time, with ``DirectoryReader``, and neither follows links nor
/// enters mounts. A path that cannot be read becomes one of the ``DirectoryListing/failures``.
struct DirectoryScanner {
    private let root: Directory
    private let rules: ScanRules
    private let visit: (_ descriptor: CInt, _ identity: FileIdentity) -> Void
    fileprivate private(set) var listing: DirectoryListing
    /// The memory of the listing so far, which ``ScanRules/bytes`` limits.
    private var bytes = 0
    /// Whether that limit was exceeded, so that nothing more is listed.
    private var isFull = false
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

    /// Reads all directories.
    ///
    /// A directory that is gone when its turn comes is a failure: it may be in a directory that was read before.
    ///
    /// When the listing is full, the other directories are still opened for `visit`, so that their changes are noticed.
    fileprivate mutating func run() {
        while let directory = unread.popLast() {
            do throws(SystemError) {
                try read(directory)
                if !isFull { listing.directories.insert(directory) }
            } catch {
                fail(directory, error)
            }
        }
    }

    /// Records a path that could not be read, such as a mount; too many of them end the listing.
    private mutating func fail(_ path: [UInt8], _ error: SystemError) {
        if listing.failures.count < ScanRules.maximumFailures {
            listing.failures.append(.init(path: path, error: error))
        } else {
            overflow()
        }
    }

    /// Ends the listing, with a failure that stands for all items that it lacks.
    private mutating func overflow() {
        guard !isFull else { return }
        isFull = true
        let error = SystemError("scan", path: root.path, code: EOVERFLOW)
        listing.failures.append(.init(path: [], error: error))
    }

    private mutating func read(_ directory: [UInt8]) throws(SystemError) {
        var reader = try DirectoryReader(opening: directory, beneath: root)
        let identity = try reader.identity()
        visit(reader.descriptor, identity)
        let prefix = directory.isEmpty ? [] : directory + [UInt8(ascii: "/")]
        while try reader.advance() {
            var path = prefix
            reader.appendName(to: &path)
            if rules.isIgnored(path[prefix.count...]) { continue }
            guard bytes < rules.bytes, !isFull else {
                return overflow()
            }
            do throws(SystemError) {
                try add(reader, path, in: identity)
            } catch  where error.code == ENOENT {
                // The item was removed after its name was read.
            } catch {
                fail(path, error)
            }
        }
    }

    private mutating func add(
        _ reader: borrowing DirectoryReader, _ path: [UInt8], in directory: FileIdentity
    ) throws(SystemError) {
        // The status is read only if it is needed: most items are links and directories.
        let needsStatus = reader.kind != .symbolicLink && reader.kind != .directory
        let status = needsStatus ? try reader.status() : nil
        switch status?.kind ?? reader.kind {
        case .symbolicLink:
            // One array for both parts takes half the memory of two arrays.
            var pathAndTarget = path
            try reader.appendTarget(to: &pathAndTarget, limit: ScanRules.targetLength)
            // A link cannot be a mount, so its device is that of its directory.
            append(
                DirectoryListing.ListedItem(
                    path: pathAndTarget[..<path.count], kind: .symbolicLink,
                    identity: FileIdentity(device: directory.device, inode: reader.inode),
                    target: pathAndTarget[path.count...], status: nil))
        case .directory: enqueue(path)
        default:
            guard let status else { return }
            append(
                DirectoryListing.ListedItem(
                    path: path[...], kind: status.kind, identity: status.identity, target: nil,
                    status: status))
        }
    }

    private mutating func append(_ item: DirectoryListing.ListedItem) {
        bytes += item.path.count + (item.target?.count ?? 0) + ScanRules.bytesOfItem
        listing.items.append(item)
    }

    private mutating func enqueue(_ path: [UInt8]) {
        unread.append(path)
        bytes += path.count + ScanRules.bytesOfItem
    }
}

extension Directory {
    /// Scans the directory `name` and all directories beneath it; returns `nil` if it does not exist.
    ///
    /// `visit` is called with each directory before its entries are read. The descriptor is open only during the call.
    ///
    /// - Throws: ``SystemError``; ``SystemError/isNotDirectory`` for a link or another file of that name.
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

/// Which names a scan of a directory ignores, and how much memory its listing may take.
package struct ScanRules: Sendable {
    /// Whether a name is ignored; neither the item nor anything beneath it is read or watched then.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The most memory of a listing; each item and each directory takes ``bytesOfItem``, its path, and the text of a link.
    let bytes: Int

    package init(
        bytes: Int = .max,
        isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) {
        self.bytes = bytes
        self.isIgnored = isIgnored
    }

    /// About the memory that an item takes besides its path and the text of a link.
    static let bytesOfItem = 150
    /// The most failures of one listing; after more, the listing is ended.
    static let maximumFailures = 1000
    /// The most bytes that the text of a link can have in the kernel; see symlink(2).
    package static let targetLength = 4095
}
