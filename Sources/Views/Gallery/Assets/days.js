"use strict";
// Part of the gallery of apod-mirror.
// The days of all years, newest first.

const days = [];

// What each year's script calls. `name` is that of the picture after its day, or empty; `marks` is 1 for
// a favorite, plus 2 for a video, plus 4 for a small picture. `label` is on a card without a picture.
function addDays(year, entries) {
    for (const [monthAndDay, title, name, marks, label] of entries) {
        const date = `${year}-${monthAndDay}`;
        const folder = `${year}/${date.slice(0, 7)}/${date}`;
        const picture = name && `../pictures/${folder}%20${name}`;
        const cover = marks & 4 ? `thumbnails/${folder}.jpg` : picture;
        days.push({ date, title, cover, picture, marks, label });
    }
}
