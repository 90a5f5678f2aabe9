internal import Glibc

/// What lies in a folder and in all folders beneath it, at any depth, as one look found it.
package struct DirectoryListing: Sendable {
    /// Something other than a folder.
    package struct Entry: Hashable, Sendable {
        /// Relative to the folder, without a leading slash; any bytes but zero.
        ///
        /// Part of a larger text, as ``target`` is: copy what is kept for long.
        package let path: ArraySlice<UInt8>
        package let kind: FileStatus.Kind
        package let identity: FileIdentity
        /// Where a symbolic link leads, as it was written; empty where that is longer than
        /// ``ScanRules/targetLength``, `nil` for all else.
        package let target: ArraySlice<UInt8>?
        /// What stat(2) says of it; `nil` for a symbolic link, which is not asked.
        package let status: FileStatus?
    }

    /// Something that could not be read, so that what is missing at or below it may well be there.
    package struct Failure: Hashable, Sendable {
        /// Relative to the folder; empty for the folder itself.
        package let path: [UInt8]
        package let error: SystemError

        /// There is more than a scan keeps; see ``ScanRules``.
        package var isTooMuch: Bool { error.code == EOVERFLOW }

        package init(path: [UInt8], error: SystemError) {
            self.path = path
            self.error = error
        }
    }

    /// The folder that was listed.
    package let identity: FileIdentity
    /// The same folder after a reboot, too.
    package internal(set) var place: DirectoryIdentity?
    /// How many folders were read, this one included.
    package internal(set) var folders = 0
    package internal(set) var failures: [Failure] = []
    /// Everything but the directories themselves, in no order.
    package internal(set) var entries: [Entry] = []

    /// An empty listing of the folder `identity`.
    init(of identity: FileIdentity) {
        self.identity = identity
    }

    /// Nothing was hidden from the look: what is not listed was not there.
    package var isComplete: Bool { failures.isEmpty }
}
