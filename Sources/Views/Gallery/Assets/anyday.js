"use strict";
// Part of the gallery of apod-mirror.
// Any day by its date, the same day of all years, and a random one.

const field = document.getElementById("date");
const found = document.getElementById("found");
const results = document.getElementById("results");
const random = document.getElementById("random");
let isWhole = false;

function show() {
    const date = field.value;
    const sameDay = date ? days.filter(day => day.date.slice(5) === date.slice(5)) : [];
    const chosen = sameDay.find(day => day.date === date);
    const cards = [chosen, ...sameDay.filter(day => day !== chosen)].filter(Boolean).map(card);
    if (chosen) cards[0].classList.add("chosen");
    results.replaceChildren(...cards);
    found.textContent = !date ? "" : chosen || !isWhole ? `${inWords(date)}, and the same day of other years`
        : `The mirror does not have ${inWords(date)}. The same day of other years:`;
    random.disabled = !days.length;
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
random.addEventListener("click", () => {
    const day = days[Math.floor(Math.random() * days.length)];
    location.href = dayAddress(day.date);
});
field.value = location.hash.match(/^#on-(\d{4}-\d\d-\d\d)$/)?.[1] ?? today();
show();
loadYears("days").then(() => {
    isWhole = true;
    show();
});
