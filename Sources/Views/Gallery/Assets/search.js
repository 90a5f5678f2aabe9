"use strict";
// Part of the gallery of apod-mirror.
// Searches all titles and the texts and credits of the newest years; those of the other years are loaded when
// they are asked for.

const results = document.getElementById("results");
const found = document.getElementById("found");
const more = document.getElementById("more");
const older = document.getElementById("older");
const field = document.querySelector(".search input");
const step = 60;
// A line ends after a hyphen, also after one that begins a word.
const help = ["Words that a day must have; ", element("span", "syntax", "\"a phrase\""), "; ",
    element("span", "syntax", "-word"), " for one that it must not have."];
// The texts of a year have 0.4 MB.
const newestYears = 3;
let areTitlesLoaded = false;
let isLoading = false;
// The number of years whose texts are loaded.
let loaded = 0;
// "Back" leads to the results as they were left: their words, their number and the place among them.
let left = history.state?.left ? history.state : null;
let shown = left?.shown ?? step;
let hits = [];

// What each year's script calls.
function addWords(year, entries) {
    const texts = new Map(entries.map(([date, ...words]) => [`${year}-${date}`, words]));
    for (const day of days) {
        const [text, credit] = texts.get(day.date) ?? [];
        if (text === undefined) continue;
        day.text = text;
        day.all = folded(`${day.title}\n${text}\n${credit}\n${day.date}\n${inWords(day.date)}`);
    }
}

// Loads the titles once, and the texts of at least so many years.
async function load(count) {
    if (isLoading) return;
    isLoading = true;
    if (!areTitlesLoaded) await loadYears("days");
    areTitlesLoaded = true;
    for (const day of days) {
        day.heading ??= folded(`${day.title}\n${day.date}\n${inWords(day.date)}`);
    }
    search();
    while (loaded < Math.min(count, years.length)) {
        await loadYears("words", [years[loaded]]);
        loaded += 1;
        search();
    }
    isLoading = false;
    search();
}

function has(text) {
    return term => text !== undefined && placeOf(term, text) !== undefined;
}

function matches(query) {
    const [inTitle, inText] = [[], []];
    if (!query.wanted.length) return inTitle;
    for (const day of days) {
        // Whether a word is absent is known only once the text is there.
        if (query.excluded.length && !day.all) continue;
        if (query.excluded.some(has(day.all))) continue;
        if (query.wanted.every(has(day.heading))) inTitle.push(day);
        else if (query.wanted.every(has(day.all))) inText.push(day);
    }
    // Each newest first, as the years were loaded.
    return inTitle.concat(inText);
}

// How often each word is in the texts that are loaded, as of so many years.
let words = { loaded: -1 };
function countWords() {
    const counts = new Map();
    for (const day of days) {
        for (const [word] of (day.all ?? day.heading).matchAll(/[a-z]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    words = { loaded, counts };
}

// The number of letters too much, missing, wrong or exchanged with the next one.
function differences(word, other) {
    let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)];
    for (let index = 0; index < word.length; index += 1) {
        const next = [index + 1];
        for (let place = 0; place < other.length; place += 1) {
            next.push(Math.min(last[place] + (word[index] !== other[place]), last[place + 1] + 1, next[place] + 1,
                index && place && word[index] === other[place - 1] && word[index - 1] === other[place]
                    ? before[place - 1] + 1 : Infinity));
        }
        [before, last] = [last, next];
    }
    return last[other.length];
}

// The word of the texts that differs least from one that none of them has, of equal ones the most frequent; the search of
// the command has the same rule. Short words resemble each other.
function nearest(word) {
    const limit = word.length < 4 ? 0 : word.length < 6 ? 1 : 2;
    const rank = ([other, count]) => [differences(word, other), -count];
    return [...words.counts].filter(([other]) => Math.abs(other.length - word.length) <= limit)
        .map(entry => [entry[0], ...rank(entry)]).filter(entry => limit && entry[1] <= limit)
        .sort((a, b) => a[1] - b[1] || a[2] - b[2] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

// The query with the nearest word in place of each that no text has; `undefined` if there is none.
function correction(query) {
    if (words.loaded !== loaded) countWords();
    const all = [...words.counts.keys()].join(" ");
    const corrected = query.replace(/[\p{L}\p{M}]+/gu, letters => {
        const word = folded(letters);
        return all.includes(word) ? letters : nearest(word) ?? letters;
    });
    return corrected === query ? undefined : corrected;
}

// The text with its hits marked, from `start` to `end`.
function marked(text, terms, start = 0, end = text.length) {
    const parts = [];
    let last = start;
    for (const [from, to] of places(text, terms)) {
        if (from < start || to > end) continue;
        parts.push(text.slice(last, from), element("mark", "", text.slice(from, to)));
        last = to;
    }
    return [...parts, text.slice(last, end)];
}

// The words around the first hit in the text, else its beginning.
function excerpt(text, terms) {
    const first = places(text, terms)[0]?.[0] ?? 0;
    const start = first < 60 ? 0 : text.indexOf(" ", first - 60) + 1;
    const space = text.lastIndexOf(" ", start + 180);
    const end = start + 180 >= text.length ? text.length : space > first ? space : start + 180;
    // No line begins with the last ellipsis or ends with the first.
    return [start ? "…\u00a0" : "", ...marked(text, terms, start, end), end < text.length ? "\u00a0…" : ""];
}

// The card of a day with the text around the words that were found.
function result(day, terms) {
    const link = card(day);
    link.href = dayAddress(day.date, field.value);
    link.querySelector(".name").replaceChildren(...marked(day.title, terms));
    if (day.text) link.append(element("span", "excerpt", ...excerpt(day.text, terms)));
    return link;
}

function search() {
    const query = parseQuery(field.value);
    hits = matches(query);
    results.replaceChildren(...hits.slice(0, shown).map(day => result(day, query.wanted)));
    more.hidden = hits.length <= shown;
    const isWhole = areTitlesLoaded && loaded === years.length;
    older.hidden = isLoading || isWhole || !query.wanted.length;
    older.textContent = `Search the texts before ${years[loaded - 1] ?? "all years"}, too`;
    const count = hits.length === 0 ? "Nothing found" : hits.length === 1 ? "1 day" : `${hits.length} days`;
    found.replaceChildren(...!query.wanted.length ? help : isWhole ? [count]
        : isLoading ? [`${hits.length} days, searching …`]
        : [`${count} in all titles and in the texts since ${years[loaded - 1]}`]);
    const offered = isLoading || hits.length || !query.wanted.length ? undefined : correction(field.value);
    if (offered) {
        const link = element("a", "", offered);
        link.href = `?q=${encodeURIComponent(offered)}`;
        found.append(". Did you mean ", link, "?");
    }
    if (!left) return;
    scrollTo({ top: left.scroll, behavior: "instant" });
    attend();
    if (!isLoading) left = null;
}

const address = new URLSearchParams(location.search);
field.value = left?.query ?? address.get("q") ?? field.value;
results.addEventListener("click", () => {
    remember({ query: field.value, scroll: scrollY, shown, loaded });
    try {
        sessionStorage.hits = JSON.stringify({ query: field.value, dates: hits.map(day => day.date) });
    } catch {}
});
field.addEventListener("input", () => {
    left = null;
    shown = step;
    load(newestYears);
    search();
});
field.form.addEventListener("submit", event => {
    event.preventDefault();
    field.blur();
    // So that the address can be kept; from a folder some browsers do not allow it.
    try {
        history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
    } catch {}
});
more.addEventListener("click", () => {
    shown += step;
    search();
});
older.addEventListener("click", () => load(years.length));
if (field.value) {
    // The index of objects counts the days of all years.
    load(address.has("all") ? years.length : Math.max(left?.loaded ?? 0, newestYears));
} else {
    found.replaceChildren(...help);
    field.focus();
}
