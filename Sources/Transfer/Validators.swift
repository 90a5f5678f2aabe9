/// What tells one version of a file from another, as its server named it last time.
package struct Validators: Hashable, Sendable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// The header lines that ask for the file only where it has changed since.
    ///
    /// Values come from files that others may have edited: one that would break the line is left out.
    var conditions: [String] {
        [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            guard let value, value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return nil }
            return "\(name): \(value)"
        }
    }
}
