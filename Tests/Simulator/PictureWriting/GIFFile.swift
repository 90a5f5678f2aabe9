package import CGIF

/// A GIF file, by giflib.
package enum GIFFile {
    /// The file that `body` writes, in memory.
    package static func written(
        _ body: (UnsafeMutablePointer<GifFileType>?) -> Void
    ) -> [UInt8] {
        let sink = Sink()
        let encoder = unsafe EGifOpen(
            Unmanaged.passUnretained(sink).toOpaque(),
            { encoder, bytes, count in
                guard let context = unsafe encoder?.pointee.UserData else { return 0 }
                let sink = unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
                unsafe sink.bytes += UnsafeBufferPointer(start: bytes, count: Int(count))
                return count
            }, nil)
        unsafe body(encoder)
        unsafe EGifCloseFile(encoder, nil)
        return withExtendedLifetime(sink) { sink.bytes }
    }

    /// What the encoder writes to.
    private final class Sink {
        var bytes: [UInt8] = []
    }
}
