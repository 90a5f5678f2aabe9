# Inserts all mutants of a list into a copy of the sources: each is active where isMutant(NAME) is true.
# Without `target` nothing is written, only checked.
#
# usage: awk -f insert.awk [-v target=DIRECTORY] mutants.txt SOURCE...

BEGIN { FS = " +[|] +" }

FNR == NR {
    if (/^[^#]/) { if (NF != 3 || $1 in operation) fail("has a line that is no entry: " $0); operation[$1] = $2 }
    next
}

FNR == 1 { names = "" }

conditional && /^ *(==|!=|<|>|[?][?]) / { fail("replaces half of a condition before: " $0) }

{ conditional = 0 }

names {
    count = split(names, part, ", ")
    names = ""
    for (i = 1; i <= count; i++) $0 = mutated($0, part[i])
}

/^ *\/\/ mutation test: / { names = $0; sub(/^ *\/\/ mutation test: /, "", names); sub(/ [(]see Tests\/Mutants[)]$/, "", names) }

target { print > (target "/" FILENAME) }

END {
    FILENAME = ARGV[1]
    for (name in operation) if (!(name in marked)) fail("lists " name ", which no comment marks")
    exit failed
}

function fail(message) { print FILENAME, message > "/dev/stderr"; failed = 1 }

function mutated(line, name,   active, indent, operands, at) {
    if (marked[name]++ || !(name in operation)) fail("marks " name ", which is not listed or marked twice")
    active = FILENAME ~ /[.]c$/ ? "is_mutant(\"" name "\")" : "isMutant(\"" name "\")"
    if (split(operation[name], operands, " -> ") == 2) {
        at = index(line, operands[1])
        if (!at) fail("lacks " operands[1] " where " name " is marked")
        return substr(line, 1, at - 1) "(" active " ? " operands[2] " : " operands[1] ")" \
            substr(line, at + length(operands[1]))
    }
    match(line, /^ */)
    indent = substr(line, 1, RLENGTH)
    line = substr(line, RLENGTH + 1)
    if (operation[name] != "skip") return indent condition(line, operation[name], active)
    if (line ~ /^(guard|let|var|return|for) / || line !~ /^if .* [{]$|^[^{]*$|[}]$/)
        fail("has a line at " name " that cannot be skipped")
    if (FILENAME ~ /[.]c$/) return indent "if (!" active ") " line
    if (line ~ /^if .* [{]$/) return indent "if !" active ", " substr(line, 4)
    return indent "if !" active " { " line " }"
}

# The line with its condition, which begins after a keyword or an operator, and ends before a brace or a comma.
function condition(line, value, active,   before, after) {
    conditional = 1
    if (match(line, /^(for .* where|guard|if|return|&&|[|][|]) /)) before = substr(line, 1, RLENGTH)
    line = substr(line, RLENGTH > 0 ? RLENGTH + 1 : 1)
    if (match(line, /( else)? [{].*$|,$/)) { after = substr(line, RSTART); line = substr(line, 1, RSTART - 1) }
    if (line ~ /^[^(]*, /) fail("has several conditions where only one can be replaced: " line)
    if (sub(/^try /, "", line)) before = before "try "
    return before "(" active " ? " value " : (" line "))" after
}
