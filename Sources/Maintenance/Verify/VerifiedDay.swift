internal import APOD
internal import Mirror

/// The findings of one day, and the files that belong to the day.
struct VerifiedDay {
    let day: Day
    private(set) var findings: [VerifyFinding] = []
    /// The paths of the files of the day, relative to the root.
    var claimed: Set<String> = []
    /// The picture and video that are missing under their names; they may have another.
    var absent: [RecordedFile] = []
    /// Whether all files named by the day belong to the day, because its record is damaged.
    var claimsAll = false

    /// Adds the problem of the file at `path`; `nil` if there is none.
    mutating func add(_ problem: VerifyFinding.Problem?, at path: String) {
        if let problem { findings.append(VerifyFinding(path, of: day, problem)) }
    }
}
