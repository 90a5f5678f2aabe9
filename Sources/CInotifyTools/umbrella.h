/* libinotifytools, which watches directories for changes. */
#if !__has_include(<inotifytools/inotifytools.h>)
#error "libinotifytools is missing: apt-get install libinotifytools0-dev"
#endif
#include <inotifytools/inotifytools.h>
#include <sys/inotify.h>

/* The name at the end of an event, or an empty text: a flexible array, which Swift does not import. */
static inline const char *inotifytools_event_name(const struct inotify_event *event) {
    return event->len ? event->name : "";
}
