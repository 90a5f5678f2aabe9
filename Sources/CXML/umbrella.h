#if !__has_include(<libxml/HTMLparser.h>)
#error "xml2 is missing: apt-get install libxml2-dev"
#endif
#include <libxml/HTMLparser.h>
#include <libxml/xmlsave.h>
