internal import APOD
internal import Mirror
internal import Platform

/// Decides which of several pictures of one day an ``Adoption`` copies first from the folder that it imports, the *source*.
///
/// The first picture is the original: the one whose hash is in the record of the mirror, or of another mirror in the source. A
/// person may have saved a larger edit beside it. Without an original, the largest picture is the first.
struct AdoptionRanking {
    let source: Directory
    /// The other mirrors in the source.
    var mirrors: SourceMirrors
    /// The days in the names of pictures that could not be read.
    let daysWithUnreadablePicture: Set<Day>

    /// Sorts the `candidates`, all pictures of `day` that may be adopted: the best one is the first.
    ///
    /// - Returns: `nil` if a picture of the day cannot be read: it may be the original, and the others may be edits.
    /// - Throws: ``SystemError`` if the record of another mirror, or a picture, cannot be read.
    mutating func rank(
        _ candidates: [Adoption.Candidate], of day: Day
    ) throws(SystemError) -> [Adoption.Candidate]? {
        var ranked = candidates.sorted { $0.bytes > $1.bytes }
        var best = ranked.firstIndex(where: \.isRecorded)
        if best == nil {
            if daysWithUnreadablePicture.contains(day) { return nil }
            best = try indexOfOriginal(among: ranked, of: day)
        }
        if let best { ranked.insert(ranked.remove(at: best), at: 0) }
        return ranked
    }

    /// The index of the picture with the hash in the record of the mirror that contains it; `nil` if there is none.
    private mutating func indexOfOriginal(
        among candidates: [Adoption.Candidate], of day: Day
    ) throws(SystemError) -> Int? {
        guard candidates.count > 1 else { return nil }
        for (index, candidate) in candidates.enumerated() {
            guard let sha256 = try mirrors.originalHash(of: day, around: candidate.path) else {
                continue
            }
            let path = candidate.path.text
            let original = RecordedFile(path: path, bytes: candidate.bytes, sha256: sha256)
            if try source.hasContents(of: original, at: path) { return index }
        }
        return nil
    }
}
