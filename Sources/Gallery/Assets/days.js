"use strict";
// Loads the days of all years, newest first, as scripts: a page that was opened from a folder may load
// nothing else.

const days = [];
const years = document.querySelector("[data-years]").dataset.years.split(" ").filter(Boolean);

// What each year's script calls.
function addDays(year, entries) {
    for (const [date, title, cover, picture, marks] of entries) {
        days.push({ date: `${year}-${date}`, title, cover, picture, marks });
    }
}

function loadYear(year) {
    return new Promise(resolve => {
        const script = document.createElement("script");
        script.src = `days/${year}.js`;
        script.onload = script.onerror = () => {
            script.remove();
            resolve();
        };
        document.head.append(script);
    });
}

// Calls `show` after each year.
async function loadDays(show) {
    for (const year of years) {
        await loadYear(year);
        show();
    }
}
