import APOD
import CommandLine
import Glibc
import Mirror
import TestSupport
import Testing

@testable import apod_mirror

extension WholeProgram {
    /// bash, zsh and fish complete what the program accepts; a missing shell is skipped.
    @Suite(.timeLimit(.minutes(10))) struct CompletionTests {
        enum Shell: String, CaseIterable {
            case bash, zsh, fish

            var isInstalled: Bool {
                unsafe system("command -v \(rawValue) >/dev/null 2>&1") == 0
            }

            static let installed = allCases.filter(\.isInstalled)

            /// The completions of the last of `words`.
            func offers(
                _ words: [String], environment: [String: String] = [:]
            ) async throws -> Set<String> {
                let line = (["apod-mirror"] + words).joined(separator: " ")
                let folder = "\(sourceTree)/.install/completion"
                let command =
                    switch self {
                    case .bash:
                        // bash takes --feed=v for three words.
                        ["bash", "-c", Self.bashScript, "bash", "\(folder)/apod-mirror.bash"]
                            + words.flatMap(Self.bashWords)
                    case .zsh: ["zsh", "-f", "-c", Self.zshScript, "zsh", folder, line]
                    case .fish:
                        [
                            "fish", "--no-config", "-c",
                            "source $argv[1]; complete -C $argv[2] | string replace -r '\\t.*' ''",
                            "\(folder)/apod-mirror.fish", line,
                        ]
                    }
                return try await withTemporaryFolder { home in
                    let ending = try await Program(
                        command,
                        environment: ["HOME": home, "LC_ALL": "C.UTF-8"]
                            .merging(environment) { $1 }
                    ).end()
                    #expect(ending.errors == "", "\(rawValue): \(ending)")
                    // fish completes the whole word.
                    let lines = ending.output.split(separator: "\n").map { line in
                        self == .fish && line.hasPrefix("--") && words.last?.contains("=") == true
                            ? line.drop { $0 != "=" }.dropFirst() : line
                    }
                    return Set(lines.map(String.init))
                }
            }

            private static func bashWords(_ word: String) -> [String] {
                guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
                    return [word]
                }
                let value = String(word[word.index(after: equals)...])
                return [String(word[..<equals]), "="] + (value.isEmpty ? [] : [value])
            }

            private static let bashScript = """
                source "$1"; shift
                COMP_WORDS=(apod-mirror "$@"); COMP_CWORD=$#
                _apod_mirror && printf '%s\\n' "${COMPREPLY[@]}"
                """

            /// Types the line and a tab into an interactive shell, in which compadd prints what it adds.
            private static let zshScript = #"""
                setopt extendedglob
                zmodload zsh/zpty
                export FUNCTIONS=$1
                zpty shell zsh -f -i
                zpty -w shell 'PROMPT=; fpath=($FUNCTIONS $fpath); autoload -Uz compinit; compinit -u -D
                compadd() {
                    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
                    local -a hits
                    builtin compadd -A hits "$@"
                    (($#hits)) && print -rl -- "<"${^hits}">"
                    builtin compadd "$@"
                }
                finish() { print -r "((end))" }
                comppostfuncs=(finish)
                bindkey "^I" complete-word
                setopt no_list_beep no_auto_list
                print -r "((""ready))"'
                while zpty -r shell line; do [[ $line == *"((ready))"* ]] && break; done
                zpty -n -w shell "$2"$'\t'
                while zpty -r shell line; do
                    [[ $line == *"((end))"* ]] && break
                    [[ $line == *"<"(#b)(*)">"* ]] && print -r -- $match[1]
                done
                zpty -d shell
                """#
        }

        @Test(arguments: Shell.installed)
        func everyCommandAndOptionIsOffered(shell: Shell) async throws {
            var commands = try await shell.offers([""])
            if shell != .bash { commands.formUnion(try await shell.offers(["--"])) }
            #expect(commands == Set(HelpTests.commands + ["--help", "--version"]))

            for command in Command.allCases {
                let options = try await shell.offers([command.rawValue, "--"])
                #expect(options == Set(command.options.map(\.spelling) + ["--help"]), "\(command)")
            }
        }

        static let values: [(words: [String], offers: Set<String>)] = [
            (["st"], ["status"]),
            (["run", "--feed", "b"], ["basic"]),
            (["run", "--feed=v"], ["v1"]),
            (["run", "--feed="], ["auto", "basic", "v1"]),
            (["run", "--log-level", "n"], ["notice"]),
            (
                ["favorites", ""],
                ["list", "add", "remove", "restore"]
            ),
            (["favorites", "rem"], ["remove"]),
            (["help", "doc"], ["doctor"]),
            (["run", "--jobs", ""], []),
        ]

        @Test(arguments: Shell.installed, values)
        func valuesAreOffered(
            shell: Shell, expected: (words: [String], offers: Set<String>)
        ) async throws {
            let offered = try await shell.offers(expected.words)
            #expect(offered == expected.offers)
        }

        /// Also where the path is quoted; a file name in the mirror is not run.
        @Test(arguments: Shell.installed)
        func theDaysOfTheMirrorAreOffered(shell: Shell) async throws {
            try await withMirroredSite(days: 3) { site in
                let days = Set(try site.tree().complete.map(\.description))
                let record = Layout.recordPath(of: Site.today)
                try site.write("", to: "apod/\(Layout.split(record).folder)/$(echo run).json")
                try site.copy("apod", to: "sp ace")
                let folder = site.folder

                let all = try await shell.offers(
                    ["show", ""], environment: ["APOD_MIRROR_ROOT": site.root])
                #expect(all.isSuperset(of: days.union(["latest", "random", "today", "yesterday"])))
                #expect(!all.contains("run"), "\(all)")
                for root in [site.root, "~/apod", "\(folder)/sp\\ ace", "'\(folder)/sp ace'"] {
                    let offered = try await shell.offers(
                        ["show", "--root", root, "2"], environment: ["HOME": folder])
                    #expect(offered == days, "\(root)")
                }
                try site.write(
                    "APOD_MIRROR_ROOT=\(folder)/sp ace\n", to: ".config/apod-mirror/environment")
                let ofUser = try await shell.offers(["show", "2"], environment: ["HOME": folder])
                #expect(ofUser == days)
                let old = try await shell.offers(["favorites", "add", "--root", site.root, "1995"])
                #expect(old == [])
            }
        }

        /// A held favorite, whose links are gone, can be confirmed and restored.
        @Test(arguments: Shell.installed)
        func favoritesAreOfferedForRemovalAndRemovedOnesForRestoration(shell: Shell) async throws {
            try await withMirroredSite(days: 3) { site in
                for day in 0...1 { _ = try await site.read("favorites", "add", "\(Site.day(day))") }
                _ = try await site.read("favorites", "remove", "\(Site.day(1))")
                try site.write(
                    "{\n  \"held\": true\n}\n", to: "apod/.apod-mirror/favorites/2001-02-03.json")
                func offers(_ action: String) async throws -> Set<String> {
                    try await shell.offers(
                        ["favorites", action, ""], environment: ["APOD_MIRROR_ROOT": site.root])
                }

                #expect(try await offers("remove") == ["\(Site.day(0))", "2001-02-03"])
                #expect(try await offers("restore") == ["\(Site.day(1))", "2001-02-03"])
                #expect(try await offers("add").contains("\(Site.day(2))"))
            }
        }
    }
}
