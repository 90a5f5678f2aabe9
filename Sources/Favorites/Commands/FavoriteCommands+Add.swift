internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// The action `favorites add`.
extension FavoriteCommands {
    /// A favorite that ``makeFavorites(of:named:)`` made or found.
    package struct AddedFavorite: Hashable, Sendable {
        package let name: FavoriteName
        /// Whether the link was created now.
        package let isNew: Bool
    }

    /// Makes favorites of the days that `arguments` name: see ``DayArgument``.
    ///
    /// A new link is called `name`, or like its picture. Without `name`, a day that has a link gets no second one.
    ///
    /// - Returns: For each argument, in order, its favorite, or ``FavoriteError`` or the error of the link.
    /// - Throws: An error of reading the records.
    package func makeFavorites(
        of arguments: [String], named name: String?
    ) throws -> [Result<AddedFavorite, any Error>] {
        let survey = try survey()
        // Without it, only the clock says which days are in the future.
        let newest = (try? mirror.newestPublishedDay(at: now())) ?? nil
        var linkNames = Dictionary(
            survey.classified.references.map { ($0.day, $0.name) }
        ) { first, _ in first }
        return arguments.map { argument in
            Result {
                let day = try namedDay(argument, in: survey)
                if let absence = day.absence(newest: newest, at: now()) {
                    throw FavoriteError.refused("\(absence); use another date")
                }
                if name == nil, let existing = linkNames[day] {
                    return AddedFavorite(name: existing, isNew: false)
                }
                let chosen = try name.map { try linkName($0, of: day, in: survey.targets) }
                let added = try createLink(to: day, named: chosen, in: survey.targets)
                linkNames[day] = added.name
                return added
            }
        }
    }
}
