#include "pictures.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char earth_at_twilight[] = {
#embed "earth-at-twilight.jpg"
};
static const unsigned char home_from_above[] = {
#embed "home-from-above.jpg"
};
static const unsigned char opportunity_shadow[] = {
#embed "opportunity-shadow.jpg"
};
static const unsigned char orion_launch[] = {
#embed "orion-launch.jpg"
};
static const unsigned char phobos[] = {
#embed "phobos.jpg"
};
static const unsigned char razorback_rocks[] = {
#embed "razorback-rocks.jpg"
};
static const unsigned char saturn_at_night[] = {
#embed "saturn-at-night.jpg"
};
static const unsigned char shuttle_launch[] = {
#embed "shuttle-launch.jpg"
};
static const unsigned char space_station[] = {
#embed "space-station.jpg"
};
static const unsigned char spirit_wheel[] = {
#embed "spirit-wheel.jpg"
};
static const unsigned char suitsat[] = {
#embed "suitsat.jpg"
};
static const unsigned char tranquility_base[] = {
#embed "tranquility-base.jpg"
};

static const struct {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} pictures[] = {
    {"earth-at-twilight", earth_at_twilight, sizeof earth_at_twilight},
    {"home-from-above", home_from_above, sizeof home_from_above},
    {"opportunity-shadow", opportunity_shadow, sizeof opportunity_shadow},
    {"orion-launch", orion_launch, sizeof orion_launch},
    {"phobos", phobos, sizeof phobos},
    {"razorback-rocks", razorback_rocks, sizeof razorback_rocks},
    {"saturn-at-night", saturn_at_night, sizeof saturn_at_night},
    {"shuttle-launch", shuttle_launch, sizeof shuttle_launch},
    {"space-station", space_station, sizeof space_station},
    {"spirit-wheel", spirit_wheel, sizeof spirit_wheel},
    {"suitsat", suitsat, sizeof suitsat},
    {"tranquility-base", tranquility_base, sizeof tranquility_base},
};

const unsigned char *picture_file(const char *name, size_t *size) {
    for (size_t index = 0; index < sizeof pictures / sizeof *pictures; index++) {
        if (strcmp(pictures[index].name, name) == 0) {
            *size = pictures[index].size;
            return pictures[index].bytes;
        }
    }
    return NULL;
}
