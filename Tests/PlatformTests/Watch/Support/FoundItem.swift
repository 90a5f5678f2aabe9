import Glibc
import Platform

/// An item of a directory, on which a listing and find(1) must agree.
struct FoundItem: Hashable, CustomStringConvertible {
    let path: Path
    /// The type as printed by find(1): `l` or `f`; `?` for all others.
    let kind: String
    let target: Path

    var description: String { "\(kind) \(path) -> \(target)" }
}

extension FoundItem {
    init(_ item: DirectoryListing.Item) {
        path = Path(item.path)
        target = if case .link(let target) = item.details { Path(target) } else { Path([]) }
        kind =
            switch item.kind {
            case .symbolicLink: "l"
            case .file: "f"
            case .directory: "d"
            case .other: "?"
            }
    }
}

extension Disk {
    /// The items that find(1) lists in `favorites`, without directories.
    func found() -> Set<FoundItem> {
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
                let kind = String(decoding: fields[$0 + 1], as: UTF8.self)
                return FoundItem(
                    path: Path(Array(fields[$0])), kind: "lf".contains(kind) ? kind : "?",
                    target: Path(Array(fields[$0 + 2])))
            })
    }
}

extension DirectoryListing? {
    /// The items of a listing; empty for a missing directory.
    var found: Set<FoundItem> { Set(self?.items.map(FoundItem.init) ?? []) }
}
