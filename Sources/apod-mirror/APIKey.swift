import CommandLine
import Glibc
import Platform

/// The API key for v1 feeds that require one.
///
/// It is read from a credential of the service, see `LoadCredential=` in systemd.exec(5), or else from a
/// variable, which is erased at the start. No option, log or file of the mirror contains it.
enum APIKey {
    static let credential = "nasa-api-key"
    static let variable = "APOD_MIRROR_API_KEY"
    private static let maximumLength = 4096

    /// - Returns: The key without surrounding white space; `nil` if there is none.
    /// - Throws: ``CommandError``, which names the source of the key and not the key.
    static func find(_ arguments: Arguments) throws(CommandError) -> String? {
        if let directory = arguments["CREDENTIALS_DIRECTORY"],
            let text = try read("\(directory)/\(credential)")
        {
            return try key(in: text, from: "the credential \(credential)")
        }
        return try key(in: arguments[variable] ?? "", from: variable)
    }

    /// The contents of the file at `path`; `nil` if there is none.
    private static func read(_ path: String) throws(CommandError) -> String? {
        do throws(SystemError) {
            // O_NONBLOCK: opening a FIFO must not wait for a writer, see fifo(7).
            let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            return String(
                decoding: try file.readToEnd(limit: maximumLength, path: path), as: UTF8.self)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw .usage("cannot read the credential \(credential): \(error)")
        }
    }

    private static func key(in text: String, from source: String) throws(CommandError) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace)
        // Anything else was put there by accident, such as a whole document.
        guard words.count < 2, words.joined().utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .usage(
                "\(source) is not an API key; a key is one word of ASCII letters and digits")
        }
        return words.first.map(String.init)
    }
}
