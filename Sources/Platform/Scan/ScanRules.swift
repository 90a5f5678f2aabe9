/// Which names a scan of a directory ignores, and how many it may list.
package struct ScanRules: Sendable {
    /// Whether a name is ignored; neither the item nor anything beneath it is read or watched then.
    let isIgnored: @Sendable (ArraySlice<UInt8>) -> Bool
    /// The most items and directories together that a listing may have.
    let maximumNames: Int

    package init(
        maximumNames: Int = .max,
        isIgnored: @escaping @Sendable (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) {
        self.maximumNames = maximumNames
        self.isIgnored = isIgnored
    }
}
