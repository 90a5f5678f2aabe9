internal import APOD
internal import Mirror
internal import Platform

extension ReconcileRun {
    /// Requests the removal of the held favorites, if a person renamed the report to ``FavoritesText/confirmation(of:)``.
    ///
    /// Only the report that was written last counts. An older one, from a backup for example, confirms nothing.
    func acceptConfirmation(in scan: inout Scan) throws(SystemError) {
        let held = stored.favorites.values.filter(\.isHeld).map(\.day)
        let name = FavoritesText.confirmation(of: held)
        guard let index = scan.items.firstIndex(where: { $0.name.bytes.elementsEqual(name.utf8) })
        else { return }
        let path = "\(Layout.favorites)/\(name)"
        let files = try textFiles()
        guard try files.isMoved(from: FavoritesText.report.path, to: path) else { return }
        // The requests are durable before the file that asks for them is deleted.
        for day in held { try store.requestForget(day) }
        try tree.root.removeDurably(path)
        // Renaming the report is not deleting it: it is written again if it still has something to say.
        _ = try files.remove([FavoritesText.report.path])
        scan.items.remove(at: index)
        scan.forgetRequests.formUnion(held)
    }
}
