internal import APOD
internal import Platform

/// The pictures of a source that several days have with the same bytes, such as NASA's logo.
///
/// Since September 2026, NASA's old API names NASA's logo as the picture of each day, and programs have saved it under the
/// dates of days.
struct SharedPictures {
    /// For the path of each such picture, the number of days that have it.
    private(set) var dayCounts: [[UInt8]: Int] = [:]

    /// Compares the `candidates` that no record names.
    ///
    /// A picture that cannot be read is left out.
    init(in source: Directory, among candidates: [Adoption.Candidate]) {
        let unrecorded = candidates.filter { !$0.isRecorded }
        // Few pictures have the size of another one, so that few are read.
        for pictures in Dictionary(grouping: unrecorded, by: \.bytes).values
        where Self.isSuspicious(pictures) {
            let picturesByHash = Dictionary(grouping: pictures) { Self.hash(of: $0, in: source) }
            for (hash, pictures) in picturesByHash where hash != nil && Self.isSuspicious(pictures)
            {
                let dayCount = Set(pictures.map(\.day)).count
                for picture in pictures { dayCounts[picture.path] = dayCount }
            }
        }
    }

    /// Whether three of the days of `pictures` are within 400 days: NASA repeats a real picture much later.
    private static func isSuspicious(_ pictures: [Adoption.Candidate]) -> Bool {
        let days = Set(pictures.map(\.day.number)).sorted()
        return zip(days, days.dropFirst(2)).contains { first, third in third - first <= 400 }
    }

    /// The hash of a picture; `nil` if the picture cannot be read.
    private static func hash(of picture: Adoption.Candidate, in source: Directory) -> String? {
        let path = picture.path
        guard let file = try? source.openToRead(path) else { return nil }
        return try? file.sha256(path: path.text, limit: picture.bytes)
    }
}
