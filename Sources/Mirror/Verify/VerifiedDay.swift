internal import APOD

/// The findings of one day, and the files that belong to it.
struct VerifiedDay {
    let day: Day
    private(set) var findings: [VerifyFinding] = []
    /// The paths in the tree that belong to the day, relative to the root.
    var claimed: Set<String> = []
    /// The picture and video that are missing, which may have another name.
    var absent: [RecordedFile] = []
    /// Whether its record is damaged, so that all files named by the day belong to it.
    var claimsAll = false

    /// Adds what is wrong with the file at `path`; `nil` if nothing is.
    mutating func add(_ problem: VerifyFinding.Problem?, at path: String) {
        if let problem { findings.append(VerifyFinding(path, of: day, problem)) }
    }
}
