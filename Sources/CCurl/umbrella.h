/* libcurl, with a function for each type of argument in place of the variadic functions, which Swift cannot call. */
#if !__has_include(<curl/curl.h>)
#error "libcurl is missing: apt-get install libcurl4-gnutls-dev"
#endif
#include <curl/curl.h>
#include <dlfcn.h>
#include <stddef.h>

/* libcurl may initialize libssh2, which initializes all of libcrypto: 2.5 MB for protocols that are never
   requested. libssh2_init(3) without cryptography comes first, because only its first call has an effect. */
static inline CURLcode ccurl_global_init(void) {
    const int without_cryptography = 1; /* LIBSSH2_INIT_NO_CRYPTO */
    int (*ssh_init)(int) = (int (*)(int))dlsym(NULL, "libssh2_init"); /* NULL is RTLD_DEFAULT. */
    if (ssh_init) ssh_init(without_cryptography);
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}
static inline const curl_version_info_data *ccurl_version(void) {
    return curl_version_info(CURLVERSION_NOW);
}

/* curl_easy_setopt(3) by the type of its argument. */
static inline CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *value) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, value);
}
static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode ccurl_set_request_observer(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
/* curl_easy_getinfo(3). */
static inline CURLcode ccurl_get_list(CURL *easy, CURLINFO information, struct curl_slist **value) {
    return curl_easy_getinfo(easy, information, value);
}
static inline CURLcode ccurl_get_certificates(CURL *easy, struct curl_certinfo **value) {
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, value);
}
/* curl_multi_setopt(3). */
static inline CURLMcode ccurl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
