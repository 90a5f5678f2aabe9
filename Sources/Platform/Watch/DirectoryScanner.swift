internal import Glibc

/// One look through a folder and all folders beneath it.
///
/// It goes through no link, opens nothing but folders, and holds few descriptors however wide or deep
/// they lie. What it cannot read it notes and leaves out.
struct DirectoryScanner {
    /// Called with the descriptor of each folder before its entries are read.
    typealias Visit = (_ descriptor: CInt, _ identity: FileIdentity) -> Void

    let root: Directory
    let rules: ScanRules
    let visit: Visit
    var listing: DirectoryListing
    private let budget: ScanBudget
    /// What was found beside folders, and the folders.
    private var items = 0
    private var folders = 1
    private var isFull = false
    /// The name of the entry under way.
    private var name: [UInt8] = []
    /// Folders that were found and are still to be read.
    private var waiting: [[UInt8]] = [[]]
    /// What was found that is no link.
    private var others: [DirectoryListing.Entry] = []

    private init(_ root: Directory, _ rules: ScanRules, visit: @escaping Visit) throws(SystemError)
    {
        self.root = root
        self.rules = rules
        self.visit = visit
        budget = ScanBudget(rules)
        listing = DirectoryListing(of: try root.status().identity)
        listing.place = try root.place()
    }

    /// What is in the folder `name`; `nil` where there is none.
    static func list(
        _ name: String, in parent: Directory, by rules: ScanRules = ScanRules(),
        visit: @escaping Visit = { _, _ in }
    ) throws(SystemError) -> DirectoryListing? {
        guard let root = try parent.folder(name) else { return nil }
        var walk = try DirectoryScanner(root, rules, visit: visit)
        walk.run()
        return walk.listing
    }

    private mutating func run() {
        while let folder = waiting.popLast() {
            do throws(SystemError) {
                try read(folder)
            } catch {
                fail(folder, error)
            }
        }
        listing.parts.append(others)
    }

    /// Notes what could not be read; of too many, that nothing is known of what was not seen.
    private mutating func fail(_ path: [UInt8], _ error: SystemError) {
        if listing.failures.count < ScanRules.failures {
            listing.failures.append(.init(path: path, error: error))
        } else {
            overflow()
        }
    }

    /// The rest is left out, as there is too much: said once.
    private mutating func overflow() {
        guard !isFull else { return }
        isFull = true
        let error = SystemError("scan", path: root.path, code: EOVERFLOW)
        listing.failures.append(.init(path: [], error: error))
    }

    private mutating func read(_ folder: [UInt8]) throws(SystemError) {
        var reader = try DirectoryReader(opening: folder, beneath: root)
        let identity = try reader.identity()
        listing.folders += 1
        visit(reader.descriptor, identity)
        let pulse = Heartbeat.current
        let links = LinkBatches(folder, identity, reader.descriptor, budget)
        var names = LinkNames()
        // No thread is left behind, whatever becomes of the rest.
        defer {
            for part in links.finish(names) {
                listing.parts += part.parts
                for failure in part.failures { fail(failure.path, failure.error) }
            }
            withExtendedLifetime(reader) {}
        }
        while try reader.advance() {
            pulse?.beat()
            name.removeAll(keepingCapacity: true)
            reader.appendName(to: &name)
            if rules.isIgnored(name[...]) { continue }
            guard items < rules.items, !isFull, budget.isLeft else {
                overflow()
                break
            }
            do throws(SystemError) {
                try add(reader, in: folder, &names)
            } catch {
                fail(path(in: folder), error)
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
        case .symbolicLink: add(reader, to: &names)
        case .directory: add(folder: path(in: folder))
        default:
            let status = try reader.status()
            switch status.kind {
            // Only now: the file system did not say, or the name changed hands just now.
            case .symbolicLink: add(reader, to: &names)
            case .directory: add(folder: path(in: folder))
            default: add(status, in: folder)
            }
        }
    }

    private mutating func add(_ reader: borrowing DirectoryReader, to names: inout LinkNames) {
        names.append(reader)
        items += 1
    }

    private mutating func add(folder path: [UInt8]) {
        guard folders < rules.folders else { return overflow() }
        guard path.count <= rules.pathLength else {
            let error = SystemError("scan", path: root.path, code: ENAMETOOLONG)
            return fail(path, error)
        }
        folders += 1
        waiting.append(path)
        budget.take(path.count)
    }

    /// Adds what is no link and no folder.
    private mutating func add(_ status: FileStatus, in folder: [UInt8]) {
        let path = path(in: folder)
        items += 1
        budget.take(path.count)
        others.append(
            DirectoryListing.Entry(
                path: path[...], kind: status.kind, identity: status.identity, target: nil,
                status: status))
    }

    /// The path of the entry under way.
    private func path(in folder: [UInt8]) -> [UInt8] {
        folder.isEmpty ? name : folder + [UInt8(ascii: "/")] + name
    }
}

extension Directory {
    /// What is in the folder `name` and in all folders beneath it; `nil` where there is none.
    ///
    /// - Throws: ``SystemError``; ``SystemError/isNoFolder`` where a link or something else is in the way.
    package func listing(
        of name: String, by rules: ScanRules = ScanRules()
    ) throws(SystemError) -> DirectoryListing? {
        try DirectoryScanner.list(name, in: self, by: rules)
    }
}
