internal import Platform

/// Decides what a sidecar is to contain: the fields of the mirror, and all that other programs wrote.
enum Sidecar {
    case upToDate
    case changed([UInt8])
    /// It is not XMP, or has too many elements, and is left alone.
    case unreadable

    /// Makes a new sidecar, or changes the fields in `bytes` that nobody else edited since the mirror wrote them.
    static func updating(_ bytes: [UInt8]?, to fields: SidecarFields) -> Sidecar {
        let mark = SidecarMark(of: fields)
        if let bytes, bytes.contains(bytes: Array("\"\(mark.text)\"".utf8)) { return .upToDate }
        guard let document = XMPDocument(bytes ?? XMPDocument.empty) else { return .unreadable }
        let earlier = SidecarMark(document.mark)
        guard earlier != mark || bytes == nil else { return .upToDate }
        for property in XMPProperty.allCases {
            let current = document.value(of: property)
            if current != fields[property], earlier.wrote(current, as: property) {
                document.set(property, to: fields[property])
            }
        }
        document.setMark(mark.text)
        return document.bytes(isIndented: bytes == nil).map { .changed($0) } ?? .unreadable
    }
}
