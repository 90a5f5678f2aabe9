internal import JSON

/// Finds the JSON objects with a date in the files of other tools, for ``TextAdoption``.
///
/// The date is a string, the member `date`. The objects may be alone, in a list, in an object, or on lines.
///
/// Files may be of any length, so that they are scanned without being parsed as a whole: at most ``maximumSize`` bytes
/// are kept. A longer object is not found itself, but objects in it are.
struct DatedObjects {
    /// Longer than any entry with its page.
    private static let maximumSize = 256 << 10
    /// Objects below more levels are not examined: archives have entries in a list in an object, at most.
    private static let maximumDepth = 4

    /// The bytes since the start of the outermost open object that is not too long; empty if there is none.
    private(set) var bytes: [UInt8] = []
    /// Where the open objects and lists of the first levels start in `bytes`; `nil` for a list and for an object
    /// that is too long.
    private var starts: [Int?] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether an object or list is still open, or more were closed than opened: the text is no JSON, or was cut.
    var isCut: Bool { depth != 0 }

    /// Reads more of the stream; calls `found` with each object that ends in it.
    mutating func read<E>(
        _ chunk: some Sequence<UInt8>, found: ([UInt8]) throws(E) -> Void
    ) throws(E) {
        // After a bracket too much, it is not known what is in a string.
        for byte in chunk where depth >= 0 {
            if !bytes.isEmpty { append(byte) }
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = depth > 0
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let object = close() { try found(object) }
            default: break
            }
        }
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        guard bytes.count > Self.maximumSize else { return }
        // The outermost object is too long; objects in it may be entries.
        if let outermost = starts.firstIndex(where: { $0 != nil }) { starts[outermost] = nil }
        let removed = starts.lazy.compactMap(\.self).first ?? bytes.count
        bytes.removeFirst(removed)
        starts = starts.map { $0.map { $0 - removed } }
    }

    private mutating func open(_ byte: UInt8) {
        depth += 1
        guard depth <= Self.maximumDepth else { return }
        let isObject = byte == UInt8(ascii: "{")
        // Within an object, `read` has appended the byte.
        if isObject, bytes.isEmpty { bytes.append(byte) }
        starts.append(isObject ? bytes.count - 1 : nil)
    }

    /// Ends the innermost object or list; returns the object if it has a date.
    private mutating func close() -> [UInt8]? {
        depth -= 1
        guard 0..<Self.maximumDepth ~= depth, let start = starts.popLast() else { return nil }
        defer { if starts.allSatisfy({ $0 == nil }) { bytes.removeAll(keepingCapacity: true) } }
        guard let start else { return nil }
        let date = (try? RawJSON(bytes[start...]).members(named: ["date"]))?["date"]
        return date?.bytes.first == UInt8(ascii: "\"") ? Array(bytes[start...]) : nil
    }
}
