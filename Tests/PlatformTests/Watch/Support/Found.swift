import Glibc
import Platform

/// Something that lies in a folder: what a listing and find(1) must agree on.
struct Found: Hashable, CustomStringConvertible {
    let path: Path
    /// As find(1) writes it: `l`, `f`, `p`, `s`, `c`.
    let kind: String
    let target: Path

    var description: String { "\(kind) \(path) -> \(target)" }
}

extension Found {
    init(_ entry: DirectoryListing.ListedItem) {
        path = Path(Array(entry.path))
        target = Path(Array(entry.target ?? []))
        kind =
            switch entry.kind {
            case .symbolicLink: "l"
            case .file: "f"
            case .fifo: "p"
            case .socket: "s"
            case .device: "c"
            case .directory: "d"
            case .other: "?"
            }
    }
}

extension Disk {
    /// What find(1) finds in `favorites`, folders left out.
    func found() -> Set<Found> {
        let find = "find favorites/ -mindepth 1 ! -type d -printf '%P\\0%y\\0%l\\0' 2>/dev/null"
        guard let pipe = unsafe popen("cd \(path) && \(find)", "r") else { return [] }
        defer { unsafe pclose(pipe) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe fread(&buffer, 1, buffer.count, pipe), count > 0 {
            bytes += buffer[..<count]
        }
        let fields = bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        return Set(
            stride(from: 0, to: fields.count, by: 3).map {
                Found(
                    path: Path(Array(fields[$0])),
                    kind: String(decoding: fields[$0 + 1], as: UTF8.self),
                    target: Path(Array(fields[$0 + 2])))
            })
    }
}

extension DirectoryListing? {
    /// What was found; nothing where there was no folder.
    var found: Set<Found> { Set(self?.items.map(Found.init) ?? []) }
}
