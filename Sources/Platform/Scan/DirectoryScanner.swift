internal import Glibc

/// Lists the items in a directory and in all directories beneath it.
///
/// It scans `favorites/`. It opens directories only, one at a time, with ``DirectoryReader``, and neither follows links nor
/// enters mounts. A path that cannot be read becomes one of the ``DirectoryListing/failures``.
struct DirectoryScanner {
    private let root: Directory
    private let rules: ScanRules
    /// Called with each directory before its entries are read.
    private let visit: (_ descriptor: CInt, _ identity: FileIdentity) -> Void
    fileprivate private(set) var listing: DirectoryListing
    /// The number of names so far, which ``ScanRules/maximumNames`` limits.
    private var names = 0
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
                listing.failures.append(.init(path: directory, error: error))
            }
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
            let name = reader.name
            if rules.isIgnored(name[...]) { continue }
            names += 1
            guard names <= rules.maximumNames else { return overflow() }
            let path = prefix + name
            do throws(SystemError) {
                try add(reader, path, in: identity)
            } catch  where error.code == ENOENT {
                // The item was removed after its name was read.
            } catch {
                // Such as a mount.
                listing.failures.append(.init(path: path, error: error))
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
            // A link cannot be a mount, so its device is that of its directory.
            listing.items.append(
                DirectoryListing.Item(
                    path: path,
                    identity: FileIdentity(device: directory.device, inode: reader.inode),
                    details: .link(target: try reader.target())))
        case .directory: unread.append(path)
        default:
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

/// Which names a scan of a directory ignores, and how many it may list.
package struct ScanRules: Sendable {
    /// Whether a name is ignored; neither the item nor anything beneath it is read or watched then.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The most items and directories of a listing.
    let maximumNames: Int

    package init(
        maximumNames: Int = .max,
        isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) {
        self.maximumNames = maximumNames
        self.isIgnored = isIgnored
    }
}
