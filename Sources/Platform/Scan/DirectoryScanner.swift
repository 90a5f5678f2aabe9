internal import Glibc

/// Lists a directory and all directories beneath it: `favorites/`, for a scan of favorites.
///
/// It opens only directories, one at a time, by ``DirectoryReader``, which follows no link and enters no mount. Paths that cannot
/// be read are listed as failures.
struct DirectoryScanner {
    private let root: Directory
    private let rules: ScanRules
    private let visit: (_ descriptor: CInt, _ identity: FileIdentity) -> Void
    fileprivate private(set) var listing: DirectoryListing
    /// The size so far, for the limit of ``ScanRules``.
    private var bytes = 0
    /// Whether the limit of ``ScanRules`` was exceeded, so that nothing more is listed.
    private var isFull = false
    /// The paths of the directories that are still to be read; empty for the scanned directory.
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
    /// A directory that was removed after it was listed is a failure. It may have been moved into a directory that was read
    /// before, so that this scan lists its items nowhere.
    ///
    /// Once the listing is full, the unread directories are still opened for `visit`, which may watch them, because a new scan may
    /// succeed when items are removed.
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

    /// Records a path that could not be read, such as a mount; too many such paths fill the listing.
    private mutating func fail(_ path: [UInt8], _ error: SystemError) {
        if listing.failures.count < ScanRules.maximumFailures {
            listing.failures.append(.init(path: path, error: error))
        } else {
            overflow()
        }
    }

    /// Ends the listing with a failure of the whole directory.
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
        // Most items are links and directories, which need no status.
        let needsStatus = reader.kind != .symbolicLink && reader.kind != .directory
        let status = needsStatus ? try reader.status() : nil
        switch status?.kind ?? reader.kind {
        case .symbolicLink:
            // One array for both takes half the memory of two.
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
    /// `visit` is called for each directory before its entries are read; the descriptor is open during the call.
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

/// What a scan of a directory ignores, and its limit of memory.
package struct ScanRules: Sendable {
    /// Whether a name is ignored: neither it nor anything beneath it is read or watched.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The maximum size of all items and directories, each of which counts its path, its link target and
    /// ``bytesOfItem``.
    let bytes: Int

    package init(
        bytes: Int = .max,
        isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) {
        self.bytes = bytes
        self.isIgnored = isIgnored
    }

    /// About the memory that an item takes beside its path and target.
    static let bytesOfItem = 150
    /// The maximum number of listed failures; beyond it, no item that is not listed counts as absent.
    static let maximumFailures = 1000
    /// The maximum length of the target of a link in the kernel; see symlink(2).
    package static let targetLength = 4095
}
