package import MediaFormat
package import Platform

extension MediaHeader {
    /// Reads the header of `file`; does not use or move its file offset.
    package init(reading file: borrowing FileDescriptor) throws(Refusal) {
        try self.init(reading: MediaBytes(descriptor: file.rawValue))
    }

    /// Checks that `file`, which has this header, was not cut short.
    package func checkEnd(of file: borrowing FileDescriptor) throws(Refusal) {
        try checkEnd(of: MediaBytes(descriptor: file.rawValue))
    }
}
