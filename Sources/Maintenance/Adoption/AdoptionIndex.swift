internal import APOD
internal import Mirror
internal import Platform

/// What a mirror has of each day, read once before an adoption.
///
/// It says which days need a picture, and which day a file belongs to by its contents.
struct AdoptionIndex {
    enum PictureState: Hashable {
        /// No picture, and no record of one.
        case empty
        /// A picture, or a video without one; the size is known of a recorded picture.
        case pictured(bytes: Int?)
        /// A record names a picture that is missing.
        case lost(PictureRecord)
        /// The file of a recorded picture has another size, or it was found damaged, and still is.
        case damaged
        /// Retention removed the picture.
        case removed
        /// The record or the folder of the day cannot be read, so that the day may have a picture.
        case unreadable
    }

    private var states: [Day: PictureState] = [:]
    private var snapshot: TreeSnapshot?
    /// Why records, folders and internal files cannot be read, by their paths.
    private(set) var unreadable: [String: SystemError] = [:]
    private var picturesBySize: [Int: [(day: Day, sha256: String)]] = [:]

    /// The store is `nil` for a mirror that does not exist yet.
    init(of store: Store?) throws {
        guard let store else { return }
        let snapshot = try TreeSnapshot(of: store.tree.root)
        self.snapshot = snapshot
        // No thumbnail says which pictures the mirror has.
        unreadable = snapshot.unreadable.filter { !$0.key.hasPrefix(Layout.thumbnails) }
        var adoptedDays: Set<Day> = []
        do throws(SystemError) {
            adoptedDays = try store.adoptedDays()
        } catch {
            guard !error.concernsEveryFile else { throw error }
            unreadable[Layout.adopted] = error
        }
        for day in snapshot.days(where: \.hasMedia).union(adoptedDays) {
            states[day] = .pictured(bytes: nil)
        }
        // If the findings of verifications cannot be read, only a wrong size shows damage.
        let pathsWithFindings = Set(
            (try? VerifyState.read(from: store.tree).damage.map(\.path)) ?? [])
        for day in snapshot.recorded {
            do throws(SystemError) {
                // A day with a damaged record counts by its files.
                guard let record = try store.record(of: day) else { continue }
                try add(record, of: day, in: store.tree, pathsWithFindings: pathsWithFindings)
            } catch {
                guard !error.concernsEveryFile else { throw error }
                unreadable[Layout.recordPath(of: day)] = error
                states[day] = .unreadable
            }
        }
    }

    /// Takes the state of a day from its record, as another file of the day does not replace the recorded picture.
    private mutating func add(
        _ record: DayRecord, of day: Day, in tree: Tree, pathsWithFindings: Set<String>
    ) throws(SystemError) {
        guard let picture = record.picture else { return }
        picturesBySize[picture.bytes, default: []].append((day, picture.sha256))
        if picture.removed != nil {
            states[day] = .removed
        } else if let bytes = try tree.fileSize(picture.path) {
            // A finding may be over, so that the file is read again.
            let isDamaged =
                bytes != picture.bytes
                || pathsWithFindings.contains(picture.path)
                    && (try? tree.root.hasContents(of: picture.file, at: picture.path)) == false
            states[day] = isDamaged ? .damaged : .pictured(bytes: picture.bytes)
        } else {
            states[day] = .lost(picture)
        }
    }

    subscript(day: Day) -> PictureState {
        states[day] ?? (snapshot?.readError(of: day) == nil ? .empty : .unreadable)
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
        return days.first { if case .lost = self[$0] { true } else { false } } ?? days.first
    }
}
