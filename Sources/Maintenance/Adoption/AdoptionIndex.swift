internal import APOD
internal import Mirror
internal import Platform

/// What a mirror has of each day, read once before an adoption: the import of pictures that another program downloaded.
///
/// ``Adoption`` asks it which days need a picture, and to which day a file belongs by its contents. If the record or the folder
/// of a day cannot be read, the day counts as unreadable, so that no second picture of it is imported.
struct AdoptionIndex {
    enum PictureState: Hashable {
        /// No picture, and no record of one.
        case empty
        /// The recorded picture, of this size.
        case recorded(bytes: Int)
        /// A picture or video of which the record, if there is one, names no picture.
        case unrecorded
        /// A record names a picture that is missing.
        case lost(PictureRecord)
        /// The file of a recorded picture has another size, or it was found damaged, and still is.
        case damaged
        /// The setting `--keep` removed the picture.
        case removed
        /// The record or the folder of the day cannot be read, so that the day may have a picture.
        case unreadable

        fileprivate var isLost: Bool { if case .lost = self { true } else { false } }
    }

    private var states: [Day: PictureState] = [:]
    private var snapshot: TreeSnapshot?
    /// Why records, folders and internal files cannot be read, by their paths.
    private(set) var unreadable: [String: SystemError] = [:]
    /// The recorded pictures, by their numbers of bytes.
    private var picturesBySize: [Int: [(day: Day, sha256: String)]] = [:]

    /// The store is `nil` for a mirror that does not exist yet.
    init(of store: Store?) throws {
        guard let store else { return }
        let snapshot = try TreeSnapshot(of: store.tree.root)
        self.snapshot = snapshot
        // Thumbnails do not matter: none says which pictures the mirror has.
        unreadable = snapshot.unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
        for day in snapshot.days(where: \.hasMedia) { states[day] = .unrecorded }
        try readAdoptedDays(of: store)
        try readRecords(of: snapshot.recorded, in: store)
    }

    /// Reads of which days earlier adoptions copied a picture that waits for NASA's entry.
    private mutating func readAdoptedDays(of store: Store) throws(SystemError) {
        do throws(SystemError) {
            for day in try store.adoptedDays() { states[day] = .unrecorded }
        } catch  where !error.concernsEveryFile {
            unreadable[Layout.adopted] = error
        }
    }

    /// Takes the states of `days` from their records; a day whose record is damaged or names no picture keeps its state.
    private mutating func readRecords(of days: Set<Day>, in store: Store) throws(SystemError) {
        // If the findings of verifications cannot be read, only a wrong size shows damage.
        let findings = (try? VerifyState.read(from: store.tree).damage) ?? []
        let pathsWithFindings = Set(findings.map(\.path))
        for day in days {
            do throws(SystemError) {
                guard let picture = try store.record(of: day)?.picture else { continue }
                picturesBySize[picture.bytes, default: []].append((day, picture.sha256))
                states[day] = try Self.state(
                    of: picture, in: store.tree,
                    hasFinding: pathsWithFindings.contains(picture.path))
            } catch  where !error.concernsEveryFile {
                unreadable[Layout.recordPath(of: day)] = error
                states[day] = .unreadable
            }
        }
    }

    /// The state of a day with a recorded `picture`; `hasFinding` says that a verification found the picture damaged.
    private static func state(
        of picture: PictureRecord, in tree: Tree, hasFinding: Bool
    ) throws(SystemError) -> PictureState {
        if picture.removed != nil { return .removed }
        guard let bytes = try tree.fileSize(picture.path) else { return .lost(picture) }
        if bytes != picture.bytes { return .damaged }
        // A finding may be over, so that the file is read again.
        if hasFinding,
            (try? tree.root.match(of: picture.file, at: picture.path)) == .different
        {
            return .damaged
        }
        return .recorded(bytes: bytes)
    }

    // MARK: Questions

    subscript(day: Day) -> PictureState {
        if let state = states[day] { return state }
        return snapshot?.readError(of: day) == nil ? .empty : .unreadable
    }

    /// The day whose recorded picture has the contents of `file`, which has `size` bytes; `nil` if there is none.
    ///
    /// If several days have the same picture, it is preferably a day that lost it.
    func day(
        withContentsOf file: borrowing FileDescriptor, size: Int, path: String
    ) throws(SystemError) -> Day? {
        guard let candidates = picturesBySize[size] else { return nil }
        let sha256 = try file.sha256(path: path, limit: size)
        let days = candidates.filter { $0.sha256 == sha256 }.map(\.day).sorted()
        return days.first { self[$0].isLost } ?? days.first
    }
}
