"use strict";
// Part of the gallery of apod-mirror.
// Searches for words in all titles, texts and credits. The years are loaded with the first search.

const results = document.getElementById("results");
const found = document.getElementById("found");
const more = document.getElementById("more");
const field = document.querySelector(".search input");
const step = 60;
const days = [];
let loaded = 0;
let isLoading = false;
// "Back" leads to the results as they were left: their words, their number and the place among them.
let left = history.state?.left ? history.state : null;
let shown = left?.shown ?? step;

// Without case and accents: "Ångström" is found by "angstrom".
function folded(text) {
    const small = text.toLowerCase();
    return /^[\x00-\x7f]*$/.test(small) ? small : small.normalize("NFD").replace(/\p{M}/gu, "");
}

// What each year's script calls.
function addYear(year, entries) {
    for (const [date, title, text, credit, cover, marks] of entries) {
        days.push({
            date, title, text, cover, marks, heading: folded(title),
            all: folded(`${title}\n${text}\n${credit}\n${date}\n${inWords(date)}`),
        });
    }
}

async function load() {
    if (isLoading) return;
    isLoading = true;
    await loadYears("words", () => {
        loaded += 1;
        search();
    });
}

function matches(query) {
    const [inTitle, inText] = [[], []];
    for (const day of days) {
        if (!query.every(word => day.all.includes(word))) continue;
        (query.every(word => day.heading.includes(word)) ? inTitle : inText).push(day);
    }
    // Each newest first, as the years were loaded.
    return inTitle.concat(inText);
}

// The beginning of a text, up to the end of a word.
function beginning(text, length) {
    if (text.length <= length) return text;
    const end = text.lastIndexOf(" ", length);
    return `${text.slice(0, end > 0 ? end : length)} …`;
}

// The words around the first that was found. Folding may have moved them: then the beginning.
function excerpt(day, query) {
    const small = folded(day.text);
    const places = query.map(word => small.indexOf(word));
    const place = Math.min(...places.filter(place => place >= 0), day.text.length);
    if (small.length !== day.text.length || place === day.text.length) return beginning(day.text, 140);
    const word = query[places.indexOf(place)];
    const start = place < 60 ? 0 : day.text.indexOf(" ", place - 60) + 1;
    return [start ? "… " : "", day.text.slice(start, place),
        element("mark", "", day.text.slice(place, place + word.length)),
        beginning(day.text.slice(place + word.length), 110)];
}

// The card of a day with the text around the words that were found.
function result(day, query) {
    const link = card(day);
    link.append(element("span", "excerpt", ...excerpt(day, query)));
    return link;
}

function search() {
    const query = folded(field.value).split(/\s+/).filter(Boolean);
    const hits = query.length ? matches(query) : [];
    results.replaceChildren(...hits.slice(0, shown).map(day => result(day, query)));
    more.hidden = hits.length <= shown;
    const isWhole = loaded === years.length;
    const count = hits.length === 1 ? "1 day" : `${hits.length} days`;
    found.textContent = !query.length ? "" : isWhole ? (hits.length ? count : "Nothing found")
        : `${count}, searched back to ${years[loaded]} …`;
    if (!left) return;
    scrollTo({ top: left.scroll, behavior: "instant" });
    attend();
    if (isWhole) left = null;
}

field.value = left?.query ?? new URLSearchParams(location.search).get("q") ?? field.value;
results.addEventListener("click", () => remember({ query: field.value, scroll: scrollY, shown }));
field.addEventListener("input", () => {
    left = null;
    shown = step;
    load();
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
more.querySelector("button").addEventListener("click", () => {
    shown += step;
    search();
});
if (field.value) {
    load();
} else {
    field.focus();
}
