internal import APOD
internal import Mirror
internal import Platform

/// An internal file or folder of the mirror that shows some files which should be there.
///
/// If it cannot be read, nothing says whether these files are missing, and their earlier damage stays recorded.
package enum VerifySource: Hashable, Sendable, CaseIterable {
    /// The folder with the records of favorites and their pins, which are second copies of their pictures.
    case pins
    /// The file with the states of days; only it says which days have lost their record.
    case state

    var path: String {
        switch self {
        case .pins: Layout.favoriteStore
        case .state: Layout.state
        }
    }

    /// Whether it shows that the file at `path` should be there.
    func shows(_ path: String) -> Bool {
        switch self {
        case .pins: path.hasPrefix("\(Layout.favoriteStore)/")
        case .state: path.hasPrefix("\(Layout.metadata)/")
        }
    }
}

/// The contents of each ``VerifySource`` of a mirror, as far as it can be read.
struct VerifySources: Sendable {
    private(set) var pins: [Day: String] = [:]
    /// `nil` if it cannot be read.
    private(set) var state: SyncState?
    /// Why sources cannot be read.
    private(set) var errors: [VerifySource: SystemError] = [:]

    /// - Throws: ``SystemError`` if memory or descriptors are used up.
    init(of tree: Tree) throws(SystemError) {
        pins = try contents(of: .pins, tree.pins()) ?? [:]
        state = try contents(of: .state, Store(reading: tree).state())
    }

    private mutating func contents<Value>(
        of source: VerifySource, _ read: @autoclosure () throws(SystemError) -> Value
    ) throws(SystemError) -> Value? {
        do {
            return try read()
        } catch  where !error.concernsEveryFile {
            errors[source] = error
            return nil
        }
    }
}
