#ifndef SETTINGS2MQTT_CMOSQUITTO_TLS_H
#define SETTINGS2MQTT_CMOSQUITTO_TLS_H

// The TLS context for libmosquitto is made here, because the library itself keeps the reason of a failed verification to
// itself and can verify no name but the host's. libmosquitto brings OpenSSL into the process; its functions are looked up
// at run time, so that building needs neither OpenSSL's headers nor another library to link. All types are opaque here.

#include <dlfcn.h> // dlsym(NULL, …) searches the whole process, as RTLD_DEFAULT
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/// What OpenSSL said about the broker's certificate, or about the files of the configuration.
struct mqtt_tls_report {
    int error;          ///< X509_V_ERR_…, 0 if nothing was wrong
    char reason[160];   ///< OpenSSL's words for it
    char names[512];    ///< the names the certificate is valid for, separated by ", "
    char issuer[256];   ///< who signed it
    char not_before[32]; ///< start of its validity in UTC, as in 2026-05-01 12:00:00
    char not_after[32]; ///< and the end
};

enum mqtt_tls_step {
    MQTT_TLS_READY,
    MQTT_TLS_NO_LIBRARY,
    MQTT_TLS_CA,
    MQTT_TLS_CERTIFICATE,
    MQTT_TLS_KEY,
    MQTT_TLS_KEY_DOES_NOT_FIT,
};

/// OpenSSL 3 and 1.1.1 have all of these (`SSL_CTX_load_verify_locations` is the one both know).
#define MQTT_OPENSSL_FUNCTIONS(F)                                                                                       \
    F(const void *, TLS_client_method, (void))                                                                          \
    F(void *, SSL_CTX_new, (const void *method))                                                                        \
    F(void, SSL_CTX_free, (void *context))                                                                              \
    F(long, SSL_CTX_ctrl, (void *context, int command, long number, void *pointer))                                     \
    F(int, SSL_CTX_set_ex_data, (void *context, int index, void *data))                                                 \
    F(void *, SSL_CTX_get_ex_data, (const void *context, int index))                                                    \
    F(int, SSL_CTX_set_default_verify_paths, (void *context))                                                           \
    F(int, SSL_CTX_load_verify_locations, (void *context, const char *file, const char *directory))                     \
    F(void, SSL_CTX_set_default_passwd_cb, (void *context, int (*callback)(char *, int, int, void *)))                  \
    F(int, SSL_CTX_use_certificate_chain_file, (void *context, const char *file))                                       \
    F(int, SSL_CTX_use_PrivateKey_file, (void *context, const char *file, int type))                                    \
    F(int, SSL_CTX_check_private_key, (const void *context))                                                            \
    F(void, SSL_CTX_set_verify, (void *context, int mode, int (*callback)(int, void *)))                                \
    F(void *, SSL_get_SSL_CTX, (const void *connection))                                                                \
    F(int, SSL_get_ex_data_X509_STORE_CTX_idx, (void))                                                                  \
    F(int, X509_check_host, (void *certificate, const char *name, size_t length, unsigned flags, char **peer_name))     \
    F(int, X509_check_ip_asc, (void *certificate, const char *address, unsigned flags))                                 \
    F(void *, X509_STORE_CTX_get_ex_data, (const void *verification, int index))                                        \
    F(int, X509_STORE_CTX_get_error, (const void *verification))                                                        \
    F(int, X509_STORE_CTX_get_error_depth, (const void *verification))                                                  \
    F(void, X509_STORE_CTX_set_error, (void *verification, int error))                                                  \
    F(void *, X509_STORE_CTX_get_current_cert, (const void *verification))                                              \
    F(const char *, X509_verify_cert_error_string, (long error))                                                        \
    F(const void *, X509_get0_notBefore, (const void *certificate))                                                     \
    F(const void *, X509_get0_notAfter, (const void *certificate))                                                      \
    F(int, ASN1_TIME_to_tm, (const void *time, struct tm *parts))                                                       \
    F(void *, X509_get_issuer_name, (const void *certificate))                                                          \
    F(void *, X509_get_subject_name, (const void *certificate))                                                         \
    F(int, X509_NAME_get_text_by_NID, (void *name, int kind, char *text, int size))                                     \
    F(void *, X509_get_ext_d2i, (const void *certificate, int kind, int *critical, int *index))                         \
    F(void, GENERAL_NAMES_free, (void *names))                                                                          \
    F(int, OPENSSL_sk_num, (const void *stack))                                                                         \
    F(void *, OPENSSL_sk_value, (const void *stack, int index))                                                         \
    F(void *, GENERAL_NAME_get0_value, (const void *name, int *type))                                                   \
    F(const unsigned char *, ASN1_STRING_get0_data, (const void *string))                                               \
    F(int, ASN1_STRING_length, (const void *string))                                                                    \
    F(unsigned long, ERR_peek_last_error, (void))                                                                       \
    F(void, ERR_clear_error, (void))                                                                                    \
    F(const char *, ERR_reason_error_string, (unsigned long error))

#define MQTT_OPENSSL_MEMBER(result, name, parameters) result(*name) parameters;
struct mqtt_openssl {
    MQTT_OPENSSL_FUNCTIONS(MQTT_OPENSSL_MEMBER)
};

static inline bool mqtt_openssl_load(struct mqtt_openssl *library) {
    bool complete = true;
#define MQTT_OPENSSL_LOOKUP(result, name, parameters)                                                                   \
    *(void **)&library->name = dlsym(NULL, #name);                                                                      \
    complete = complete && library->name != NULL;
    MQTT_OPENSSL_FUNCTIONS(MQTT_OPENSSL_LOOKUP)
#undef MQTT_OPENSSL_LOOKUP
    return complete;
}

/// What belongs to one context; lives as long as the connection that uses it.
struct mqtt_tls {
    struct mqtt_openssl openssl;
    void *context;
    char name[256];
    bool name_is_address;
    struct mqtt_tls_report report;
};

static inline void mqtt_tls_copy(char *to, size_t size, const char *from) {
    snprintf(to, size, "%s", from ? from : "");
}

static inline void mqtt_tls_copy_time(struct mqtt_openssl *library, const void *time, char *text, size_t size) {
    struct tm parts;
    if (time && library->ASN1_TIME_to_tm(time, &parts)) strftime(text, size, "%Y-%m-%d %H:%M:%S", &parts);
}

/// Collects the DNS names and IP addresses of the certificate, or its common name where it has none.
static inline void mqtt_tls_copy_names(struct mqtt_openssl *library, void *certificate, char *text, size_t size) {
    enum { common_name = 13, subject_alternative_name = 85, dns_name = 2, ip_address = 7 };
    void *names = library->X509_get_ext_d2i(certificate, subject_alternative_name, NULL, NULL);
    size_t used = 0;
    int count = names ? library->OPENSSL_sk_num(names) : 0;
    for (int i = 0; i < count; i++) {
        int type = 0;
        void *value = library->GENERAL_NAME_get0_value(library->OPENSSL_sk_value(names, i), &type);
        if (type != dns_name && type != ip_address) continue;
        const unsigned char *bytes = library->ASN1_STRING_get0_data(value);
        int length = library->ASN1_STRING_length(value);
        char one[128] = "";
        if (type == dns_name) {
            snprintf(one, sizeof one, "%.*s", length, (const char *)bytes);
        } else if (length == 4) {
            snprintf(one, sizeof one, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
        } else if (length == 16) {
            for (int byte = 0; byte < 16; byte += 2) {
                snprintf(one + strlen(one), sizeof one - strlen(one), byte ? ":%x" : "%x",
                         bytes[byte] << 8 | bytes[byte + 1]);
            }
        }
        int written = snprintf(text + used, size - used, "%s%s", used ? ", " : "", one);
        if (written < 0 || (size_t)written >= size - used) break;
        used += (size_t)written;
    }
    if (names) library->GENERAL_NAMES_free(names);
    if (!used) {
        library->X509_NAME_get_text_by_NID(library->X509_get_subject_name(certificate), common_name, text, (int)size);
    }
}

/// OpenSSL's verify callback, called for each certificate of the chain from the root down, and for each fault.
///
/// The name comes last, once the certificate itself is known to be good: so a certificate that is not trusted, or has
/// expired, is reported as that and not as one for another name.
static inline int mqtt_tls_verified(int accepted, void *verification) {
    // Nothing leads from here to our structure but the context of the connection that is being verified.
    void *(*get_connection)(const void *, int) = (void *(*)(const void *, int))dlsym(NULL, "X509_STORE_CTX_get_ex_data");
    int (*get_index)(void) = (int (*)(void))dlsym(NULL, "SSL_get_ex_data_X509_STORE_CTX_idx");
    void *(*get_context)(const void *) = (void *(*)(const void *))dlsym(NULL, "SSL_get_SSL_CTX");
    void *(*get_ours)(const void *, int) = (void *(*)(const void *, int))dlsym(NULL, "SSL_CTX_get_ex_data");
    struct mqtt_tls *tls = (struct mqtt_tls *)get_ours(get_context(get_connection(verification, get_index())), 0);
    struct mqtt_openssl *library = &tls->openssl;
    struct mqtt_tls_report *report = &tls->report;
    void *certificate = library->X509_STORE_CTX_get_current_cert(verification);

    if (accepted) {
        enum { host_mismatch = 62, address_mismatch = 64 };
        if (library->X509_STORE_CTX_get_error_depth(verification) > 0) return 1;
        int matches = tls->name_is_address ? library->X509_check_ip_asc(certificate, tls->name, 0)
                                           : library->X509_check_host(certificate, tls->name, 0, 0, NULL);
        if (matches == 1) return 1;
        library->X509_STORE_CTX_set_error(verification, tls->name_is_address ? address_mismatch : host_mismatch);
    }
    report->error = library->X509_STORE_CTX_get_error(verification);
    mqtt_tls_copy(report->reason, sizeof report->reason, library->X509_verify_cert_error_string(report->error));
    if (certificate) {
        enum { common_name = 13 };
        mqtt_tls_copy_names(library, certificate, report->names, sizeof report->names);
        library->X509_NAME_get_text_by_NID(library->X509_get_issuer_name(certificate), common_name, report->issuer,
                                           (int)sizeof report->issuer);
        mqtt_tls_copy_time(library, library->X509_get0_notBefore(certificate), report->not_before,
                           sizeof report->not_before);
        mqtt_tls_copy_time(library, library->X509_get0_notAfter(certificate), report->not_after,
                           sizeof report->not_after);
    }
    return 0;
}

/// A key with a pass phrase is an error, not a question on the terminal.
static inline int mqtt_tls_no_passphrase(char *buffer, int size, int writing, void *data) {
    (void)buffer, (void)size, (void)writing, (void)data;
    return -1;
}

static inline enum mqtt_tls_step mqtt_tls_fail(struct mqtt_tls *tls, enum mqtt_tls_step step) {
    const char *reason = tls->openssl.ERR_reason_error_string(tls->openssl.ERR_peek_last_error());
    mqtt_tls_copy(tls->report.reason, sizeof tls->report.reason, reason);
    tls->openssl.ERR_clear_error();
    return step;
}

/// Makes the context: TLS 1.2 or newer, `ca` or the system's certificates, the client's certificate if given, and the
/// name or address the broker's certificate must be valid for.
static inline enum mqtt_tls_step mqtt_tls_open(struct mqtt_tls *tls, const char *ca, const char *certificate,
                                               const char *key, const char *name, bool name_is_address, bool verify) {
    enum { min_version_command = 123, tls_1_2 = 0x0303, pem = 1, verify_none = 0, verify_peer = 1 };
    memset(tls, 0, sizeof *tls);
    struct mqtt_openssl *library = &tls->openssl;
    if (!mqtt_openssl_load(library)) return MQTT_TLS_NO_LIBRARY;
    library->ERR_clear_error();
    tls->context = library->SSL_CTX_new(library->TLS_client_method());
    if (!tls->context) return mqtt_tls_fail(tls, MQTT_TLS_NO_LIBRARY);
    library->SSL_CTX_ctrl(tls->context, min_version_command, tls_1_2, NULL);
    library->SSL_CTX_set_ex_data(tls->context, 0, tls);
    library->SSL_CTX_set_default_passwd_cb(tls->context, mqtt_tls_no_passphrase);

    int loaded = ca ? library->SSL_CTX_load_verify_locations(tls->context, ca, NULL)
                    : library->SSL_CTX_set_default_verify_paths(tls->context);
    if (loaded != 1) return mqtt_tls_fail(tls, MQTT_TLS_CA);
    // The key first: loaded second, one that does not fit would look like one that cannot be read.
    if (key && library->SSL_CTX_use_PrivateKey_file(tls->context, key, pem) != 1)
        return mqtt_tls_fail(tls, MQTT_TLS_KEY);
    if (certificate && library->SSL_CTX_use_certificate_chain_file(tls->context, certificate) != 1)
        return mqtt_tls_fail(tls, MQTT_TLS_CERTIFICATE);
    if (key && library->SSL_CTX_check_private_key(tls->context) != 1)
        return mqtt_tls_fail(tls, MQTT_TLS_KEY_DOES_NOT_FIT);

    mqtt_tls_copy(tls->name, sizeof tls->name, name);
    tls->name_is_address = name_is_address;
    library->SSL_CTX_set_verify(tls->context, verify ? verify_peer : verify_none, verify ? mqtt_tls_verified : NULL);
    return MQTT_TLS_READY;
}

/// Gives up our share of the context. The structure must outlive the connection, whose verification writes to it.
static inline void mqtt_tls_close(struct mqtt_tls *tls) {
    if (tls->context) tls->openssl.SSL_CTX_free(tls->context);
    tls->context = NULL;
}

#endif
