"use strict";
// Part of the gallery of apod-mirror.
// Any day by its date, the same day of all years, and a random one.

const field = document.getElementById("date");
const found = document.getElementById("found");
const results = document.getElementById("results");
const random = document.getElementById("random");
const more = document.getElementById("more");
// So many years are shown at first; each is two files.
const few = 12;
// The scripts of years that are loaded or on their way.
const loads = new Map();

function load(list) {
    for (const year of list) if (!loads.has(year)) loads.set(year, loadYears("days", [year]));
    return Promise.all(list.map(year => loads.get(year)));
}

async function show() {
    const date = field.value;
    const isOfYear = year => date.startsWith(year);
    if (date) await load([...years].sort((a, b) => isOfYear(b) - isOfYear(a)).slice(0, few));
    if (field.value !== date) return;
    const sameDay = days.filter(day => date && day.date.slice(5) === date.slice(5))
        .sort((a, b) => b.date.localeCompare(a.date));
    const chosen = sameDay.find(day => day.date === date);
    const cards = [chosen, ...sameDay.filter(day => day !== chosen)].filter(Boolean).map(card);
    if (chosen) cards[0].classList.add("chosen");
    results.replaceChildren(...cards);
    found.textContent = !date ? "" : chosen ? `${inWords(date)}, and the same day of other years`
        : `The mirror does not have ${inWords(date)}. The same day of other years:`;
    more.hidden = !date || loads.size === years.length;
    random.disabled = !years.length;
}

// A date in the address can be kept and sent; from a folder some browsers do not allow it.
function choose(date) {
    field.value = date;
    try {
        history.replaceState(history.state, "", `#on-${date}`);
    } catch {}
    show();
}

// The date in the time zone of this computer.
function today() {
    const now = new Date();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, "0")).join("-");
}

field.addEventListener("input", () => choose(field.value));
document.getElementById("today").addEventListener("click", () => choose(today()));
random.addEventListener("click", async () => {
    await load(years);
    const day = days[Math.floor(Math.random() * days.length)];
    location.href = dayAddress(day.date);
});
more.addEventListener("click", async () => {
    await load(years);
    show();
});
// A bookmark may change only the date in the address, which loads no page.
function showAddress() {
    field.value = location.hash.match(/^#on-(\d{4}-\d\d-\d\d)$/)?.[1] ?? today();
    show();
}

addEventListener("hashchange", showAddress);
showAddress();
