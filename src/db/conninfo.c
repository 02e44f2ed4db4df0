/* conninfo.c - see db/conninfo.h. OpenSSL reads the certificates. */
#include "db/conninfo.h"
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/banned.h"

void conninfo_put(struct buf *out, const char *key, struct str value)
{
    buf_printf(out, "%s='", key);
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '\'' || value.ptr[i] == '\\')
            buf_char(out, '\\');
        buf_char(out, value.ptr[i]);
    }
    buf_text(out, "' ");
}

bool certificates_valid(struct str pem)
{
    if (pem.len == 0 || pem.len > CERTIFICATES_MAX_BYTES)
        return false;
    BIO *in = BIO_new_mem_buf(pem.ptr, (int)pem.len);
    int n = 0;
    X509 *one;
    while (in && (one = PEM_read_bio_X509(in, NULL, NULL, NULL))) {
        X509_free(one);
        n++;
    }
    /* any other error than the end of the text is a certificate that cannot be
     * read */
    bool whole = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    BIO_free(in);
    return n > 0 && whole;
}

int certificates_open(struct str pem)
{
    int fd = memfd_create("certificates", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    for (size_t done = 0; done < pem.len;) {
        ssize_t n = write(fd, pem.ptr + done, pem.len - done);
        if (n < 0) {
            close(fd);
            return -1;
        }
        done += (size_t)n;
    }
    return fd;
}

void conninfo_put_certificates(struct buf *out, int fd)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    conninfo_put(out, "sslrootcert", str_of(path));
}
