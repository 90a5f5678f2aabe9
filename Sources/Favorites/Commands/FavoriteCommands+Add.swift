internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Mirror
internal import Platform

/// The action `favorites add`: it makes days favorites by links to their pictures, or by shortcuts on a disk without links.
extension FavoriteCommands {
    /// A favorite that ``makeFavorites(of:named:)`` made or found.
    package struct AddedFavorite: Hashable, Sendable {
        package let name: FavoriteName
        /// Whether the link was created now.
        package let isNew: Bool
    }

    /// Makes favorites of the days that `arguments` name: see ``DayArgument``.
    ///
    /// A new link is called `name`. If that is `nil`, it is called like its picture, and a day with a link gets no second one.
    ///
    /// - Returns: For each argument, in order, its favorite, or why there is none.
    /// - Throws: An error of reading the records.
    package func makeFavorites(
        of arguments: [String], named name: String?
    ) throws -> [Result<AddedFavorite, any Error>] {
        let survey = try survey()
        // If the newest day cannot be read, the clock alone says which days are in the future.
        let newest = try? store.newestPublishedDay(at: now())
        var existingNames = Dictionary(
            survey.classified.references.map { ($0.day, $0.name) }
        ) { first, _ in first }
        return arguments.map { argument in
            Result {
                let day = try possibleDay(argument, newest: newest, in: survey)
                if name == nil, let existing = existingNames[day] {
                    return AddedFavorite(name: existing, isNew: false)
                }
                let newName = try name.map { try linkName($0, of: day, in: survey.mirrored) }
                let added = try createLink(to: day, named: newName, in: survey.mirrored)
                existingNames[day] = added.name
                return added
            }
        }
    }

    /// The day that `argument` names.
    ///
    /// - Throws: An error if it names none, or one that APOD does not have.
    private func possibleDay(_ argument: String, newest: Day?, in survey: Survey) throws -> Day {
        let day = try namedDay(argument, in: survey)
        if let absence = day.absence(newest: newest, at: now()) {
            throw FavoriteError.refused("\(absence); use another date")
        }
        return day
    }

    /// The day that `argument` names by itself, see ``DayArgument``, or by the path of an item in `favorites/`.
    ///
    /// Without its folder, an item is not meant: `2026-11-20` is a day, even if a link to another day has that name.
    private func namedDay(_ argument: String, in survey: Survey) throws -> Day {
        let path = relativePath(of: argument)
        if path.hasPrefix("\(Layout.favorites)/"), let day = survey.day(ofItem: path) { return day }
        guard let day = try dayArgument(argument) else { throw FavoriteError.notADay(argument) }
        return day
    }

    // MARK: Names

    /// The name `text` for a link to `day`: `Orion` becomes `Orion.jpg`, because file managers need the extension.
    private func linkName(
        _ text: String, of day: Day, in mirrored: MirroredFavorites
    ) throws -> FavoriteName {
        let name = try Self.validName(text)
        // The extensions of the files of a mirror, and `jpeg` of other programs.
        let extensions = MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"]
        let hasExtension = extensions.contains { text.lowercased().hasSuffix(".\($0)") }
        if hasExtension { return name }
        let picturePath = try mirrored.linkPath(to: day)
        guard let ending = picturePath?.splitAtLastDot?.ending else { return name }
        return try Self.validName(text + ending)
    }

    private static func validName(_ text: String) throws(FavoriteError) -> FavoriteName {
        guard let name = FavoriteName(text), !IgnoreRules.ignores(name) else {
            throw .refused(
                "“\(text)” cannot be the name of a favorite: hidden, temporary and too long names are ignored;"
                    + " choose another with --as")
        }
        return name
    }

    // MARK: Creating one link

    /// Creates a link to `day`, unless the same link exists.
    ///
    /// It has the `chosen` name; if that is `nil`, it is called like its picture, or like the day if there is no picture yet. A
    /// shortcut in its place has another extension, see ``FavoriteLinks``.
    func createLink(
        to day: Day, named chosen: FavoriteName?, in mirrored: MirroredFavorites
    ) throws -> AddedFavorite {
        // The link of a day that is not mirrored yet leads to a missing file. The daemon repairs it after the download.
        let path = try mirrored.linkPath(to: day) ?? MirroredFavorites.placeholder(day)
        let name = try chosen?.ofLink(to: path) ?? Self.defaultName(ofLinkTo: path, of: day)
        do throws(SystemError) {
            let link = try links.createLink(name, to: path, of: day)
            return AddedFavorite(name: link.name, isNew: link.isNew)
        } catch {
            throw creationError(after: error, for: name)
        }
    }

    private static func defaultName(
        ofLinkTo path: String, of day: Day
    ) throws(FavoriteError) -> FavoriteName {
        let isPicture = path.hasPrefix("\(Layout.pictures)/")
        return try validName(isPicture ? Layout.split(path).name : "\(day)")
    }
}
