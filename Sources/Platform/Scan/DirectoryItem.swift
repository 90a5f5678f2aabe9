/// A name in a directory, and the status of its file; of a link itself, not of its target.
package struct DirectoryItem: Sendable {
    package let name: [UInt8]
    package let status: FileStatus

    /// The name as text; `nil` if it is not UTF-8.
    package var text: String? { String(validating: name, as: UTF8.self) }
}
