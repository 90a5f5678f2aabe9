internal import Glibc

/// Scans a directory and all directories beneath it.
///
/// The scanner follows no link, enters no mount, opens nothing but directories, and needs few descriptors for
/// any number and depth of directories. Paths that cannot be read are listed as failures.
struct DirectoryScanner {
    private let root: Directory
    private let rules: ScanRules
    private let visit: (_ descriptor: CInt, _ identity: FileIdentity) -> Void
    fileprivate private(set) var listing: DirectoryListing
    private var directories = 1
    /// The bytes of all paths and link targets.
    private var bytes = 0
    /// Whether a limit of ``ScanRules`` was exceeded: the rest is not scanned.
    private var isFull = false
    /// The paths of the directories that are still to be read.
    private var unread: [[UInt8]] = [[]]

    fileprivate init(
        _ root: Directory, _ rules: ScanRules, visit: @escaping (CInt, FileIdentity) -> Void
    ) throws(SystemError) {
        self.root = root
        self.rules = rules
        self.visit = visit
        listing = try DirectoryListing(of: root)
    }

    fileprivate mutating func run() {
        while let folder = unread.popLast() {
            do throws(SystemError) {
                try read(folder)
                listing.directories.insert(folder)
            } catch {
                fail(folder, error)
            }
        }
    }

    /// Records a path that could not be read, such as a mount; too many of them fill the listing.
    private mutating func fail(_ path: [UInt8], _ error: SystemError) {
        if listing.failures.count < ScanRules.failures {
            listing.failures.append(.init(path: path, error: error))
        } else {
            overflow()
        }
    }

    /// Ends the scan with a failure of the whole directory.
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
        let heartbeat = Heartbeat.current
        let prefix = directory.isEmpty ? [] : directory + [UInt8(ascii: "/")]
        while try reader.advance() {
            heartbeat?.signal()
            var path = prefix
            reader.appendName(to: &path)
            if rules.isIgnored(path[prefix.count...]) { continue }
            guard listing.items.count < rules.items, bytes < rules.bytes, !isFull else {
                return overflow()
            }
            do throws(SystemError) {
                try add(reader, path, in: identity)
            } catch  where error.code == ENOENT {
                // Removed after it was listed.
            } catch {
                fail(path, error)
            }
        }
    }

    private mutating func add(
        _ reader: borrowing DirectoryReader, _ path: [UInt8], in directory: FileIdentity
    ) throws(SystemError) {
        let needsStatus = reader.kind != .symbolicLink && reader.kind != .directory
        let status = needsStatus ? try reader.status() : nil
        switch status?.kind ?? reader.kind {
        case .symbolicLink:
            var text = path
            try reader.appendTarget(to: &text, limit: ScanRules.targetLength)
            add(
                DirectoryListing.ListedItem(
                    path: text[..<path.count], kind: .symbolicLink,
                    identity: FileIdentity(device: directory.device, inode: reader.inode),
                    target: text[path.count...], status: nil))
        case .directory: add(directory: path)
        default:
            guard let status else { return }
            add(
                DirectoryListing.ListedItem(
                    path: path[...], kind: status.kind, identity: status.identity, target: nil,
                    status: status))
        }
    }

    private mutating func add(_ item: DirectoryListing.ListedItem) {
        bytes += item.path.count + (item.target?.count ?? 0)
        listing.items.append(item)
    }

    private mutating func add(directory path: [UInt8]) {
        guard directories < rules.folders else { return overflow() }
        guard path.count <= rules.pathLength else {
            let error = SystemError("scan", path: root.path, code: ENAMETOOLONG)
            return fail(path, error)
        }
        directories += 1
        unread.append(path)
        bytes += path.count
    }
}

extension Directory {
    /// Scans the directory `name` and all directories beneath it; returns `nil` if it does not exist.
    ///
    /// `visit` is called for each directory before its entries are read.
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
