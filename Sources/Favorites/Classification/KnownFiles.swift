internal import APOD
internal import Platform

/// What earlier scans found out about the files in `favorites/`, so that a scan reads only new and changed ones.
struct KnownFiles {
    /// What files mean that need not be read again; a file that changes is another ``ScannedItem``.
    private(set) var classifications: [ScannedItem: Classification] = [:]
    /// The files that referred to favorites, by their inodes, so that an edited copy that is renamed stays the same favorite.
    private(set) var referencesByInode: [FileIdentity: FavoriteReference] = [:]

    /// Lets the next scan read the unrecognized files again, because the mirror may have new pictures of which they are copies.
    mutating func forgetUnrecognized() {
        classifications = classifications.filter { !$0.value.isUnrecognized }
    }

    /// Takes over what `survey` found out.
    mutating func update(after survey: Survey) {
        let favorites = survey.reconciliation.favorites
        let present = Set(survey.classified.references.map(\.day))
        // If a favorite has no item now, its files stay known: a scan during a move may find a file in neither folder.
        let filesOfMissing = referencesByInode.filter { _, file in
            favorites[file.day] != nil && !present.contains(file.day)
        }
        referencesByInode = filesOfMissing.merging(survey.classified.referencesByInode) { $1 }
        // A name that this scan brings back into a record gives the file of that name a day: the next scan reads it again.
        let newNames = survey.newNames
        classifications = survey.classified.classifications
        for (file, classification) in classifications
        where classification.isUnrecognized && newNames.contains(file.name) {
            classifications[file] = nil
        }
    }
}
