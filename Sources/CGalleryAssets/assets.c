/* `#embed` has the bytes of a file as numbers; the 0 ends the text. */

#include "assets.h"

#define TEXT (const unsigned char[])

static const struct gallery_asset assets[] = {
    {"style.css", TEXT{
#embed "Files/style.css"
        , 0}},
    {"gallery.js", TEXT{
#embed "Files/gallery.js"
        , 0}},
    {"zoom.js", TEXT{
#embed "Files/zoom.js"
        , 0}},
    {"cards.js", TEXT{
#embed "Files/cards.js"
        , 0}},
    {"search.js", TEXT{
#embed "Files/search.js"
        , 0}},
    {"days.js", TEXT{
#embed "Files/days.js"
        , 0}},
    {"address.js", TEXT{
#embed "Files/address.js"
        , 0}},
    {"hits.js", TEXT{
#embed "Files/hits.js"
        , 0}},
    {"anyday.js", TEXT{
#embed "Files/anyday.js"
        , 0}},
    {"slideshow.js", TEXT{
#embed "Files/slideshow.js"
        , 0}},
    {"icon.svg", TEXT{
#embed "Files/icon.svg"
        , 0}},
    {NULL, NULL},
};

struct gallery_asset gallery_asset(size_t index) { return assets[index]; }
