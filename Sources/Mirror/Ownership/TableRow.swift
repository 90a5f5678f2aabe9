internal import JSON

/// What the ``ViewTable`` knows of one path.
enum TableRow: Hashable, Sendable {
    /// The view is about to write an item, in place of the item that it had written there `before`.
    ///
    /// The row is stored before the item gets its name. After a kill between the two, either item is known to be the view's.
    case intended(GeneratedItem, before: GeneratedItem?)
    /// The view wrote the item.
    case made(GeneratedItem)
    /// A person has deleted the link that the view made, so that the view does not make it again: see ``DeletedLinks``.
    case refused(GeneratedItem)

    /// The item that the view wrote last, or is about to write.
    var lastWritten: GeneratedItem {
        switch self {
        case .intended(let item, _), .made(let item), .refused(let item): item
        }
    }

    /// The items that belong to the view if they are found at the path.
    var ownItems: [GeneratedItem] {
        switch self {
        case .intended(let item, let before): [item, before].compactMap(\.self)
        case .made(let item): [item]
        case .refused: []
        }
    }

    /// The view's item that has these `contents`; `nil` if an item with such contents belongs to a person.
    func ownItem(with contents: GeneratedContents) -> GeneratedItem? {
        ownItems.first { $0.contents == contents }
    }
}

// MARK: JSON

extension TableRow {
    /// `nil` if `json` is no row: the item then counts as a person's.
    init?(_ json: JSON) {
        if let item = GeneratedItem(json) {
            self = .made(item)
        } else if let item = GeneratedItem(json["refused"]) {
            self = .refused(item)
        } else if let item = GeneratedItem(json["intended"]) {
            self = .intended(item, before: GeneratedItem(json["before"]))
        } else {
            return nil
        }
    }

    var json: JSON {
        switch self {
        case .made(let item): item.json
        case .intended(let item, let before): ["intended": item.json, "before": before?.json]
        case .refused(let item): ["refused": item.json]
        }
    }
}

/// The JSON of an item: the target of a link, or a list for a file.
///
/// The list has the digest of the bytes, the digest of the inputs, size, time and inode, in this order. A directory of links
/// has such a list with the word `directory` in place of the first digest.
extension GeneratedItem {
    private static let directoryWord = "directory"

    fileprivate init?(_ json: JSON?) {
        if let target = json?.string {
            self.init(contents: .link(target: target))
            return
        }
        guard let fields = json?.elements, fields.count == 5, let word = fields[0].string,
            let size = fields[2].integer, let modified = fields[3].integer,
            let inode = fields[4].integer
        else { return nil }
        let contents: GeneratedContents
        if word == Self.directoryWord {
            contents = .folder
        } else if let digest = InputDigest(word) {
            contents = .file(digest)
        } else {
            return nil
        }
        self.init(
            contents: contents, inputs: fields[1].string.flatMap(InputDigest.init),
            stamp: Stamp(size: size, modified: modified, inode: inode))
    }

    fileprivate var json: JSON {
        switch contents {
        case .link(let target): .string(target)
        case .file(let digest): list(startingWith: digest.text)
        case .folder: list(startingWith: Self.directoryWord)
        }
    }

    private func list(startingWith word: String) -> JSON {
        [
            .string(word), inputs.map { .string($0.text) } ?? .null,
            .integer(stamp?.size ?? 0), .integer(stamp?.modified ?? 0),
            .integer(stamp?.inode ?? 0),
        ]
    }
}
