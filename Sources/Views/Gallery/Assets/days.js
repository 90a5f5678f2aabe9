"use strict";
// Part of the gallery of apod-mirror.
// The days of all years, newest first.

const days = [];

// What each year's script calls.
function addDays(year, entries) {
    for (const [date, title, cover, picture, marks] of entries) {
        days.push({ date: `${year}-${date}`, title, cover, picture, marks });
    }
}
