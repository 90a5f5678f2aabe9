"use strict";
// Part of the gallery of apod-mirror.
// The words of a search, where they are in a text, and the way from one day that was found to the next.

// The characters of the table in `foldings.js`, which the search of the command has, too.
const foldable = new RegExp(Object.keys(foldings).join("|"), "gu");

// Without case, accents, apostrophes and hyphens: "Ångström" is found by "angstrom".
function folded(text) {
    const small = text.toLowerCase();
    const plain = /^[\x00-\x7f]*$/.test(small) ? small : small.normalize("NFD").replace(/\p{M}/gu, "");
    return plain.replace(foldable, key => foldings[key]).replace(/\s+/g, " ");
}

// All spellings of the object of a catalogue that a term names, such as "m31" and "messier31"; of another term only itself.
function spellingsOf(term) {
    const name = term.replace(/([a-z]) (?=\d)/g, "$1");
    const number = name.match(/[1-9]\d*$/)?.[0];
    const known = spellings.filter(spelling => spelling.first <= number && number <= spelling.last);
    const catalogue = known.find(spelling => spelling.prefix + number === name)?.catalogue;
    return catalogue ? known.filter(spelling => spelling.catalogue === catalogue).map(spelling => spelling.prefix + number)
        : [term];
}

// The term as a pattern: between a letter and a digit there may be a blank, whatever was typed, so that "ngc7000", "ngc 7000"
// and "NGC-7000" are the same.
function pattern(term) {
    const patterns = spellingsOf(term).map(spelling => spelling.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
        .replace(/([a-z]) ?(?=\d)|(\d) ?(?=[a-z])/g, "$1$2 ?"));
    return new RegExp(patterns.join("|"), "g");
}

// Start and end of the term in a folded text from `start` on, if it is there. One that ends in a digit does not go on in
// another, and one of letters and digits begins neither within a word nor within a number: M1 is neither in M13 nor in "from
// 1", and 7P not in 67P.
const patterns = new Map();
function placeOf(term, text, start = 0) {
    if (!patterns.has(term)) patterns.set(term, pattern(term));
    const found = patterns.get(term);
    const isWithin = (kinds, place) => place > 0 && kinds.test(text.slice(place - 1, place + 1));
    const isMixed = /[a-z]/.test(term) && /\d/.test(term);
    found.lastIndex = start;
    for (let match = found.exec(text); match; match = found.exec(text)) {
        const end = match.index + match[0].length;
        if (!isWithin(/\d\d/, end) && !(isMixed && isWithin(/[a-z][a-z]|\d\d/, match.index))) return [match.index, end];
        found.lastIndex = match.index + 1;
    }
}

// Words and "phrases" that a day must have, and those after a minus sign that it must not have. The name of a catalogue
// and the number after it are one word.
const queryWord = new RegExp(`(-?)(?:"([^"]*)"?|((?:(?:${catalogues.join("|")})\\s+(?=\\d))?\\S+))`, "gi");
function parseQuery(text) {
    const query = { wanted: [], excluded: [] };
    for (const [, minus, phrase, word] of text.replace(/[“”„]/g, "\"").matchAll(queryWord)) {
        const term = folded(phrase ?? word).trim();
        if (term) (minus ? query.excluded : query.wanted).push(term);
    }
    return query;
}

// The places of all terms in a text, as pairs of start and end, in order and apart.
function places(text, terms) {
    // Folding changes the number of characters: `origin` has the place of each in the text.
    const origin = [];
    let small = "";
    for (let index = 0; index < text.length; index += 1) {
        const folding = folded(text[index]);
        const letters = folding === " " && small.endsWith(" ") ? "" : folding;
        for (let count = 0; count < letters.length; count += 1) origin.push(index);
        small += letters;
    }
    const found = [];
    for (const term of terms) {
        for (let place = placeOf(term, small); place; place = placeOf(term, small, place[1])) {
            found.push([origin[place[0]], origin[place[1] - 1] + 1]);
        }
    }
    found.sort(([a], [b]) => a - b);
    const apart = [];
    for (const [start, end] of found) {
        const last = apart.at(-1);
        if (last && start <= last[1]) last[1] = Math.max(last[1], end);
        else apart.push([start, end]);
    }
    return apart;
}

// The search that led to this page, with the days that it found; in a folder some browsers have no storage.
const searched = new URLSearchParams(location.search).get("q") ?? "";

function foundDays() {
    try {
        const { query, dates } = JSON.parse(sessionStorage.hits);
        return query === searched ? dates : [];
    } catch {
        return [];
    }
}

// Marks all hits in the title and the text of an opened day; a phrase may reach over a link.
function markHits(view) {
    if (!window.Highlight) return;
    const ranges = [];
    for (const block of view.querySelectorAll("h2, .words > p:not(.hits, .command)")) {
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        const nodes = [];
        while (walker.nextNode()) nodes.push(walker.currentNode);
        const point = place => {
            for (const node of nodes) {
                if (place <= node.length) return [node, place];
                place -= node.length;
            }
        };
        for (const [start, end] of places(block.textContent, parseQuery(searched).wanted)) {
            const range = new Range();
            range.setStart(...point(start));
            range.setEnd(...point(end));
            ranges.push(range);
        }
    }
    CSS.highlights.set("hit", new Highlight(...ranges));
}

// The links to the days that the search found before and after this one.
function offerHits(view, date) {
    const dates = foundDays();
    const place = dates.indexOf(date);
    view.querySelector(".hits")?.remove();
    if (place < 0) return;
    const line = document.createElement("p");
    line.className = "hits";
    line.append(`Found ${place + 1} of ${dates.length} `);
    for (const [kind, name, by] of [["hit-prev", "Previous hit", -1], ["hit-next", "Next hit", 1]]) {
        if (!dates[place + by]) continue;
        const link = document.createElement("a");
        Object.assign(link, { className: kind, textContent: name, href: dayAddress(dates[place + by], searched) });
        line.append(link, " ");
    }
    view.querySelector(".words").prepend(line);
}
