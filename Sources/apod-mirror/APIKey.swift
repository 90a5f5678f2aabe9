import CommandLine
import Glibc
import Platform

/// The key that some feeds of the v1 shape want.
///
/// It comes from a credential of the service, see `LoadCredential=` in systemd.exec(5), or else from the
/// environment, out of which it is taken at the start; it is in no option, no log and no file of the mirror.
enum APIKey {
    static let credential = "nasa-api-key"
    static let variable = "APOD_MIRROR_API_KEY"
    private static let longest = 4096

    /// - Returns: The key without the blanks around it, `nil` where there is none.
    /// - Throws: ``CommandError`` with a sentence that names the place and not the key.
    static func find(_ arguments: Arguments) throws(CommandError) -> String? {
        if let folder = arguments["CREDENTIALS_DIRECTORY"],
            let text = try read("\(folder)/\(credential)")
        {
            return try key(in: text, from: "the credential \(credential)")
        }
        return try key(in: arguments[variable] ?? "", from: variable)
    }

    /// What the file at `path` holds, `nil` where there is none.
    private static func read(_ path: String) throws(CommandError) -> String? {
        do throws(SystemError) {
            // Never waits for a writer where somebody put a fifo: see fifo(7).
            let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            return String(
                decoding: try file.readToEnd(limit: longest, path: path), as: UTF8.self)
        } catch {
            guard error.code != ENOENT else { return nil }
            throw .usage("the credential \(credential) cannot be read: \(error)")
        }
    }

    private static func key(in text: String, from source: String) throws(CommandError) -> String? {
        var key = Substring(text)
        while key.first?.isWhitespace == true { key.removeFirst() }
        while key.last?.isWhitespace == true { key.removeLast() }
        // What is in between and no plain character would be an accident, such as a whole document.
        guard key.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .usage("\(source) holds no key: a key is one word of plain letters and digits")
        }
        return key.isEmpty ? nil : String(key)
    }
}
