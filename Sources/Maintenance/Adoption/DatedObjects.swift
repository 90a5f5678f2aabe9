internal import JSON

/// Finds the JSON objects that have a date in a stream of any length: one object, elements of a list, members
/// of an object, objects on lines.
///
/// Keeps at most ``largest`` bytes: a larger object may only contain such objects.
struct DatedObjects {
    private static let largest = 256 << 10
    /// Objects below more levels are not examined.
    private static let levels = 4

    /// The bytes since the start of the outermost open object that may have a date.
    private(set) var bytes: [UInt8] = []
    /// Where the open objects and lists of the first levels start in `bytes`; `nil` for a list and for an object
    /// that is too large.
    private var starts: [Int?] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether the text ended within an object, or brackets do not match: it is no JSON, or was cut.
    var isCut: Bool { depth != 0 }

    /// Reads more of the stream; calls `found` with each object that ends in it.
    mutating func read<E>(
        _ chunk: some Sequence<UInt8>, found: ([UInt8]) throws(E) -> Void
    ) throws(E) {
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
        guard bytes.count > Self.largest else { return }
        // The outermost object contains others, or is no entry.
        if let outermost = starts.firstIndex(where: { $0 != nil }) { starts[outermost] = nil }
        let removed = starts.lazy.compactMap(\.self).first ?? bytes.count
        bytes.removeFirst(removed)
        starts = starts.map { $0.map { $0 - removed } }
    }

    private mutating func open(_ byte: UInt8) {
        depth += 1
        guard depth <= Self.levels else { return }
        let isObject = byte == UInt8(ascii: "{")
        if isObject, bytes.isEmpty { bytes.append(byte) }
        starts.append(isObject ? bytes.count - 1 : nil)
    }

    /// Ends the innermost object or list; returns the object if it has a date.
    private mutating func close() -> [UInt8]? {
        depth -= 1
        guard 0..<Self.levels ~= depth, let start = starts.popLast() else { return nil }
        defer { if starts.allSatisfy({ $0 == nil }) { bytes.removeAll(keepingCapacity: true) } }
        guard let start else { return nil }
        let date = (try? RawJSON(bytes[start...]).members(named: ["date"]))?["date"]
        return date?.bytes.first == UInt8(ascii: "\"") ? Array(bytes[start...]) : nil
    }
}
