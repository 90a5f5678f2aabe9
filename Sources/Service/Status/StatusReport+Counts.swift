internal import APOD
package import Favorites
internal import Mirror
internal import Platform

/// What the report counts in other files than those of days.
extension StatusReport {
    package struct FavoriteCounts: Sendable {
        /// The number of favorites in each state; a state without favorites may be left out.
        package let byState: [FavoriteList.State: Int]
        /// The number of held favorites that are to be removed, unless their links return.
        package let toBeRemoved: Int
        /// The number of items that refer to no day.
        package let unrecognized: Int

        init(of store: Store, reader: inout PartialReader) throws {
            let commands = FavoriteCommands(of: store)
            let list = try reader.read(.favorites) { try commands.list() }
            if let list {
                try reader.read { try commands.checkScannedDirectory() }
                if let error = list.folderError { reader.record("\(error)") }
            }
            let entries = list?.entries ?? []
            byState = Dictionary(entries.map { ($0.state, 1) }, uniquingKeysWith: +)
            toBeRemoved = entries.count { $0.removal != nil }
            unrecognized = list?.unrecognized.count ?? 0
        }
    }

    /// Sizes in bytes.
    package struct Sizes: Sendable {
        /// The pictures and videos that records name, and what edits and damage replaced.
        package let media: Int
        /// The removed favorites that are not deleted yet; `nil` if the trash cannot be read.
        package let trash: Int?
        /// The free space on the disk of the mirror.
        package let free: Int

        init(of store: Store, recordedBytes: Int, reader: inout PartialReader) throws {
            let replacedBytes = try reader.read { try store.totalSizeOfReplacedItems() } ?? 0
            media = recordedBytes.addingSaturating(replacedBytes)
            trash = try reader.read { try store.trashBytes() }
            free = try store.tree.root.freeBytes()
        }
    }
}
