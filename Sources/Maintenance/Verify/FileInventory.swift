internal import APOD
internal import Mirror
internal import Platform

/// An internal file or folder of the mirror that says which files should exist, apart from those that records name.
///
/// A verification reads both inventories before it looks for these files. If an inventory cannot be read, nobody knows whether
/// a file is missing that only it lists. Then the damage of such files, which earlier verifications found, stays recorded.
package enum FileInventory: Hashable, Sendable, CaseIterable {
    /// The folder with the records of favorites and their pins: a pin is a favorite's own hard link to its picture.
    case pins
    /// The file with the states of days; only it says which days have lost their record.
    case state

    var path: String {
        switch self {
        case .pins: Layout.favoriteStore
        case .state: Layout.state
        }
    }

    /// Whether it says if the file at `path` should exist.
    func lists(_ path: String) -> Bool {
        switch self {
        case .pins: path.hasPrefix("\(Layout.favoriteStore)/")
        case .state: path.hasPrefix("\(Layout.metadata)/")
        }
    }
}

/// The contents of each ``FileInventory`` of a mirror, or why it cannot be read.
struct InventoryContents: Sendable {
    /// The path of the pin of each day that has one.
    let pins: Result<[Day: String], SystemError>
    let state: Result<SyncState, SystemError>

    /// - Throws: ``SystemError`` if memory or descriptors are used up.
    init(of tree: Tree) throws(SystemError) {
        pins = try Self.read(tree.pins())
        state = try Self.read(Store(reading: tree).state())
    }

    private static func read<Value>(
        _ contents: @autoclosure () throws(SystemError) -> Value
    ) throws(SystemError) -> Result<Value, SystemError> {
        do {
            return .success(try contents())
        } catch  where !error.concernsEveryFile {
            return .failure(error)
        }
    }

    /// Why inventories cannot be read; empty if both can.
    var errors: [FileInventory: SystemError] {
        var errors: [FileInventory: SystemError] = [:]
        if case .failure(let error) = pins { errors[.pins] = error }
        if case .failure(let error) = state { errors[.state] = error }
        return errors
    }
}
