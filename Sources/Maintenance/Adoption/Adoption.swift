internal import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Imports the pictures that another program downloaded into a folder, the *source*: the command `adopt`.
///
/// ``scan()`` finds the pictures of each day, and ``carryOut(in:)`` copies the best one. The source is never changed. Each
/// picture is checked like a download, and copied to `adopted/`, from where the next sync publishes it with NASA's
/// entry. A picture that a record names is published at once. A day that has a picture keeps it.
package struct Adoption {
    typealias Candidate = AdoptionExaminer.Candidate

    private let source: Directory
    private let index: AdoptionIndex
    private let examiner: AdoptionExaminer
    private let report: (AdoptionEvent) -> Void
    private var mirrors: SourceMirrors
    /// The pictures of each day that may be adopted; after the scan, the best one is the first.
    private(set) var candidates: [Day: [Candidate]] = [:]
    /// The days in the names of pictures that could not be read.
    private var daysWithUnreadablePicture: Set<Day> = []
    /// The number of files that are neither pictures nor videos by their names.
    package private(set) var otherFiles = 0
    /// The mirrors in the source whose favorites are not adopted, by their absolute paths.
    package var mirrorsWithFavorites: [String] {
        mirrors.withFavorites.map { $0.isEmpty ? source.path : "\(source.path)/\($0.dropLast())" }
    }

    /// Reads what the mirror has; the store is `nil` if the mirror does not exist yet.
    ///
    /// - Throws: ``SystemError`` if the mirror cannot be read.
    package init(
        of source: Directory, into store: Store?, at now: Date = Date(),
        report: @escaping (AdoptionEvent) -> Void
    ) throws {
        self.source = source
        mirrors = SourceMirrors(in: source)
        index = try AdoptionIndex(of: store)
        let dates = PlausibleDates(
            now: now, built: PlausibleDates.builtDate, latestRecordedTime: nil)
        examiner = AdoptionExaminer(source: source, index: index, dates: dates)
        self.report = report
    }

    /// Reads the source and finds the pictures of each day; reports the other files.
    package mutating func scan() {
        // What cannot be read in the mirror may be the picture of any day, so that a person should know.
        for (path, error) in index.unreadable.sorted(by: { $0.key < $1.key }) {
            report(.failed(path: path, error: error))
        }
        let listing: DirectoryListing
        do throws(SystemError) {
            let rules = ScanRules(isIgnored: SourceName.isIgnored)
            guard let all = try source.listing(of: ".", by: rules) else { return }
            listing = all
        } catch {
            return report(.failed(path: source.path, error: error))
        }
        for failure in listing.failures where !isLeftOut(failure.path) {
            reportUnreadable(failure.path, failure.error)
        }
        for item in listing.items { examine(item.path, item.kind) }
        rejectPlaceholders()
        rankCandidates()
    }

    /// Adopts the best picture of each day, or the next one if it is rejected; each is flushed to the disk before it is reported.
    ///
    /// Without a store, pictures are only checked and reported.
    ///
    /// - Throws: ``SystemError``, such as `ENOSPC`; the adopted pictures stay, and the next adoption continues.
    package func carryOut(in store: Store?) throws(SystemError) {
        let copier = AdoptionCopier(source: source, index: index, store: store, report: report)
        try copier.adopt(candidates)
    }

    // MARK: One item of the source

    /// Whether the item at `path`, which cannot be read, is certainly none to adopt; the path of the source itself is empty.
    private mutating func isLeftOut(_ path: [UInt8]) -> Bool {
        !path.isEmpty && (try? mirrors.leavesOut(path)) == true
    }

    /// Examines the item of this `kind` at `path`, and reports it, unless it is a candidate.
    private mutating func examine(_ path: [UInt8], _ kind: FileStatus.Kind) {
        do throws(SystemError) {
            if try mirrors.leavesOut(path) { return }
            guard SourceName.mayBeMedia(path) else {
                otherFiles += 1
                return
            }
            switch try examiner.verdict(on: path, kind) {
            case .candidate(let candidate):
                candidates[candidate.day, default: []].append(candidate)
            case .present(let day, let differs):
                report(.present(path: path.text, day: day, differs: differs))
            case .rejected(let reason):
                report(.unrecognized(path: path.text, reason: reason))
            }
        } catch {
            reportUnreadable(path, error)
        }
    }

    /// Reports an item that cannot be read, and remembers the day in its name.
    private mutating func reportUnreadable(_ path: [UInt8], _ error: SystemError) {
        if let day = NamedDay.day(in: path) { daysWithUnreadablePicture.insert(day) }
        report(.failed(path: path.text, error: error))
    }

    // MARK: Candidates

    /// Rejects the ``SharedPictures``.
    private mutating func rejectPlaceholders() {
        let shared = SharedPictures(in: source, among: candidates.values.flatMap(\.self))
        let sorted = candidates.sorted { $0.key < $1.key }
        for (day, pictures) in sorted {
            for picture in pictures {
                guard let dayCount = shared.dayCounts[picture.path] else { continue }
                let reason =
                    "the same picture as that of \(dayCount - 1) other days, so probably NASA's logo"
                report(.unrecognized(path: picture.path.text, reason: reason))
            }
            let others = pictures.filter { shared.dayCounts[$0.path] == nil }
            candidates[day] = others.isEmpty ? nil : others
        }
    }

    /// Puts the best picture of each day first; where it is not known, no picture of the day stays a candidate.
    private mutating func rankCandidates() {
        var ranking = AdoptionRanking(
            source: source, mirrors: mirrors, daysWithUnreadablePicture: daysWithUnreadablePicture)
        for (day, pictures) in candidates.sorted(by: { $0.key < $1.key }) {
            do throws(SystemError) {
                candidates[day] = try ranking.rank(pictures, of: day)
            } catch {
                candidates[day] = nil
                report(.failed(path: Layout.recordPath(of: day), error: error))
            }
            if candidates[day] == nil { rejectAll(pictures, of: day) }
        }
    }

    private func rejectAll(_ pictures: [Candidate], of day: Day) {
        let reason =
            "it is not known which picture of \(day) is the original, as a file cannot be read"
        for picture in pictures {
            report(.unrecognized(path: picture.path.text, reason: reason))
        }
    }
}
