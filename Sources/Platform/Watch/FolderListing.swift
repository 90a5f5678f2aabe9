/// What lies in a folder and in all folders beneath it, at any depth, as one look found it.
///
/// A collection of everything but the folders themselves, in no order. It holds all names and targets
/// in one buffer, so that 100,000 links are few megabytes; an ``Entry`` is a copy made for whoever asks.
package struct FolderListing: RandomAccessCollection, Sendable {
    /// Something other than a folder.
    package struct Entry: Hashable, Sendable {
        /// Relative to the folder, without a leading slash; any bytes but zero.
        package let path: [UInt8]
        package let kind: FileStatus.Kind
        package let identity: FileIdentity
        /// Where a symbolic link leads, as it was written; `nil` for all else.
        package let target: [UInt8]?
        /// What stat(2) says of it; `nil` for a symbolic link, which is not asked.
        package let status: FileStatus?
    }

    /// Something that could not be read, so that what is missing at or below it may well be there.
    package struct Failure: Hashable, Sendable {
        /// Relative to the folder; empty for the folder itself.
        package let path: [UInt8]
        package let error: SystemError
    }

    private struct Record {
        let start: Int
        let pathCount: Int32
        /// `-1` for what is no link.
        let targetCount: Int32
        let inode: UInt
        let device: UInt
        /// `-1` for a link.
        let status: Int32

        func moved(by offset: Int) -> Record {
            Record(
                start: start + offset, pathCount: pathCount, targetCount: targetCount,
                inode: inode, device: device, status: status)
        }
    }

    /// The folder that was listed.
    package let identity: FileIdentity
    /// How many folders were read, this one included.
    package internal(set) var folders = 0
    package internal(set) var failures: [Failure] = []
    private var bytes: [UInt8] = []
    private var records: [Record] = []
    private var statuses: [FileStatus] = []

    /// An empty listing of the folder `identity`.
    init(of identity: FileIdentity) {
        self.identity = identity
    }

    /// Nothing was hidden from the look: what is not listed was not there.
    package var isComplete: Bool { failures.isEmpty }

    package var startIndex: Int { 0 }
    package var endIndex: Int { records.count }

    package subscript(position: Int) -> Entry {
        let record = records[position]
        let end = record.start + Int(record.pathCount)
        let status = record.status < 0 ? nil : statuses[Int(record.status)]
        return Entry(
            path: Array(bytes[record.start..<end]),
            kind: status?.kind ?? .symbolicLink,
            identity: FileIdentity(device: record.device, inode: record.inode),
            target: record.targetCount < 0
                ? nil : Array(bytes[end..<end + Int(record.targetCount)]),
            status: status)
    }

    /// Adds a symbolic link, or why it cannot be read where it leads.
    ///
    /// - Parameters:
    ///   - name: Its name as C has it, ended by a zero.
    ///   - inode: Which file it is.
    ///   - path: What its folder is called here.
    ///   - descriptor: That folder.
    mutating func addLink(
        _ name: ArraySlice<UInt8>, _ inode: UInt, in path: [UInt8], _ descriptor: CInt
    ) {
        let start = bytes.count
        appendPath(name.dropLast(), in: path)
        let end = bytes.count
        do throws(SystemError) {
            try bytes.appendTarget(of: name, in: descriptor)
            records.append(
                Record(
                    start: start, pathCount: Int32(end - start),
                    targetCount: Int32(bytes.count - end), inode: inode, device: identity.device,
                    status: -1))
        } catch {
            failures.append(Failure(path: Array(bytes[start..<end]), error: error))
            bytes.removeLast(end - start)
        }
    }

    /// Makes room for so many more links whose names have so many bytes, and about twice as many for
    /// where they lead.
    mutating func reserve(links: Int, bytes count: Int) {
        bytes.reserveCapacity(bytes.count + 3 * count)
        records.reserveCapacity(records.count + links)
    }

    /// Adds all links of `parts`, and what could not be read.
    mutating func append(linksOf parts: [FolderListing]) {
        bytes.reserveCapacity(parts.reduce(bytes.count) { $0 + $1.bytes.count })
        records.reserveCapacity(parts.reduce(records.count) { $0 + $1.records.count })
        for part in parts {
            let offset = bytes.count
            bytes += part.bytes
            for record in part.records { records.append(record.moved(by: offset)) }
            failures += part.failures
        }
    }

    /// Adds what `reader` is at, no link and no folder.
    mutating func add(
        _ reader: borrowing DirectoryReader, in folder: [UInt8], status: FileStatus
    ) {
        let start = bytes.count
        var name: [UInt8] = []
        reader.appendName(to: &name)
        appendPath(name[...], in: folder)
        records.append(
            Record(
                start: start, pathCount: Int32(bytes.count - start), targetCount: -1,
                inode: status.identity.inode, device: status.identity.device,
                status: Int32(statuses.count)))
        statuses.append(status)
    }

    private mutating func appendPath(_ name: ArraySlice<UInt8>, in folder: [UInt8]) {
        if !folder.isEmpty {
            bytes += folder
            bytes.append(UInt8(ascii: "/"))
        }
        bytes += name
    }
}
