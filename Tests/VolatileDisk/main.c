/* A disk with a volatile cache, and its power cuts.

   volatile-disk serve DIRECTORY IMAGE LOG
       Mounts a FUSE file system at DIRECTORY with one file, "disk", whose contents are those of IMAGE. Each write
       and each flush is appended to LOG. Ends when DIRECTORY is unmounted.
   volatile-disk count LOG
       Prints how many writes and flushes LOG has.
   volatile-disk cut BASE LOG NUMBER SEED IMAGE
       Creates IMAGE: BASE with the first NUMBER records of LOG. Writes before the last flush are there, of the
       others a random set of sectors of 4096 bytes.

   The protocol of FUSE is spoken directly, see fuse(4); nothing but the kernel is needed. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILE_NODE = 2, SECTOR = 4096, MAX_WRITE = 1 << 20 };
static const uint64_t FLUSH = UINT64_MAX;

struct record {
    uint64_t offset;
    uint64_t size;
};

static void must(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "volatile-disk: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* --- The server */

static int device, image, logged;
static off_t size;

static void answer(uint64_t unique, int error, const void *body, size_t count) {
    struct fuse_out_header head = {
        .len = sizeof head + (error ? 0 : count), .error = -error, .unique = unique};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)body, error ? 0 : count}};
    /* ENOENT: the request was interrupted. */
    must(writev(device, parts, 2) >= 0 || errno == ENOENT, "answer");
}

static struct fuse_attr attributes(uint64_t node) {
    struct fuse_attr attr = {.ino = node, .nlink = 1, .blksize = 4096};
    attr.mode = node == FILE_NODE ? S_IFREG | 0600 : S_IFDIR | 0700;
    attr.size = node == FILE_NODE ? size : 0;
    attr.blocks = attr.size / 512;
    return attr;
}

static void append(uint64_t offset, const void *bytes, size_t count) {
    struct record record = {offset, count};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)bytes, count}};
    must(writev(logged, parts, 2) == (ssize_t)(sizeof record + count), "log");
}

static void serve_request(struct fuse_in_header *in, char *body) {
    static char buffer[MAX_WRITE];
    switch (in->opcode) {
    case FUSE_INIT: {
        struct fuse_init_in *init = (void *)body;
        struct fuse_init_out out = {
            .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
            .max_readahead = init->max_readahead, .max_write = MAX_WRITE, .max_background = 64,
            .congestion_threshold = 48, .flags = init->flags & (FUSE_BIG_WRITES | FUSE_MAX_PAGES),
            .max_pages = MAX_WRITE / 4096};
        answer(in->unique, 0, &out, sizeof out);
        break;
    }
    case FUSE_LOOKUP: {
        struct fuse_entry_out out = {.nodeid = FILE_NODE, .attr = attributes(FILE_NODE)};
        answer(in->unique, strcmp(body, "disk") ? ENOENT : 0, &out, sizeof out);
        break;
    }
    case FUSE_GETATTR: {
        struct fuse_attr_out out = {.attr = attributes(in->nodeid)};
        answer(in->unique, 0, &out, sizeof out);
        break;
    }
    case FUSE_OPEN:
    case FUSE_OPENDIR: {
        struct fuse_open_out out = {.open_flags = FOPEN_DIRECT_IO};
        answer(in->unique, 0, &out, sizeof out);
        break;
    }
    case FUSE_READ: {
        struct fuse_read_in *read = (void *)body;
        ssize_t count = pread(image, buffer, read->size, read->offset);
        answer(in->unique, count < 0 ? errno : 0, buffer, count);
        break;
    }
    case FUSE_WRITE: {
        struct fuse_write_in *write = (void *)body;
        struct fuse_write_out out = {.size = write->size};
        must(pwrite(image, write + 1, write->size, write->offset) == write->size, "image");
        append(write->offset, write + 1, write->size);
        answer(in->unique, 0, &out, sizeof out);
        break;
    }
    case FUSE_FSYNC:
        append(FLUSH, NULL, 0);
        answer(in->unique, 0, NULL, 0);
        break;
    case FUSE_FLUSH:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_ACCESS:
    case FUSE_DESTROY:
        answer(in->unique, 0, NULL, 0);
        break;
    case FUSE_STATFS: {
        struct fuse_statfs_out out = {.st = {.bsize = 4096, .namelen = 255}};
        answer(in->unique, 0, &out, sizeof out);
        break;
    }
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT: break;
    default: answer(in->unique, ENOSYS, NULL, 0);
    }
}

static int serve(const char *directory, const char *path, const char *log) {
    static char request[MAX_WRITE + 65536];
    must((device = open("/dev/fuse", O_RDWR | O_CLOEXEC)) >= 0, "/dev/fuse");
    must((image = open(path, O_RDWR | O_CLOEXEC)) >= 0, path);
    must((logged = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600)) >= 0, log);
    size = lseek(image, 0, SEEK_END);
    char options[80];
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
    must(!mount("volatile", directory, "fuse", MS_NOSUID | MS_NODEV, options), directory);
    /* In a mount namespace of its own, which is empty: the end of the last process of a namespace unmounts what is in
       it, and a file system on this disk would then wait for ever for the answers of the process that ends. */
    must(!unshare(CLONE_NEWNS), "unshare");
    must(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private mounts");
    must(!umount2("/", MNT_DETACH), "no mounts");
    puts("ready");
    fflush(stdout);
    for (;;) {
        ssize_t count = read(device, request, sizeof request);
        if (count < 0 && errno == ENODEV) return 0;
        if (count < 0 && (errno == EINTR || errno == ENOENT || errno == EAGAIN)) continue;
        must(count >= 0, "request");
        struct fuse_in_header *in = (void *)request;
        serve_request(in, (char *)(in + 1));
    }
}

/* --- Power cuts */

static uint64_t state;

/* See SplitMix in Tests/TestSupport. */
static uint64_t next(void) {
    uint64_t word = state += 0x9E3779B97F4A7C15;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
    return word ^ (word >> 31);
}

static void copy(const char *base, int output) {
    static char buffer[1 << 20];
    int input = open(base, O_RDONLY);
    must(input >= 0, base);
    off_t end = lseek(input, 0, SEEK_END), data = 0;
    must(!ftruncate(output, end), "truncate");
    while ((data = lseek(input, data, SEEK_DATA)) >= 0) {
        off_t hole = lseek(input, data, SEEK_HOLE);
        while (data < hole) {
            size_t part = hole - data < (off_t)sizeof buffer ? hole - data : (off_t)sizeof buffer;
            must(pread(input, buffer, part, data) == (ssize_t)part, base);
            must(pwrite(output, buffer, part, data) == (ssize_t)part, "copy");
            data += part;
        }
    }
    close(input);
}

static uint64_t count_records(FILE *log) {
    struct record record;
    uint64_t count = 0;
    while (fread(&record, sizeof record, 1, log) == 1) {
        must(!fseek(log, record.size, SEEK_CUR), "log");
        count += 1;
    }
    return count;
}

/* What survives of the writes after the last flush: all, none, most or few sectors. */
static void write_some(int output, const char *bytes, struct record record, uint64_t share) {
    for (uint64_t start = 0; start < record.size; start += SECTOR) {
        if (next() % 100 >= share) continue;
        uint64_t part = record.size - start < SECTOR ? record.size - start : SECTOR;
        must(pwrite(output, bytes + start, part, record.offset + start) == (ssize_t)part, "image");
    }
}

static int cut(const char *base, const char *path, uint64_t number, uint64_t seed, const char *to) {
    static char bytes[MAX_WRITE];
    struct record record;
    FILE *log = fopen(path, "r");
    must(log != NULL, path);
    int output = open(to, O_RDWR | O_CREAT | O_TRUNC, 0600);
    must(output >= 0, to);
    copy(base, output);
    uint64_t flushed = 0;
    for (uint64_t index = 0; index < number && fread(&record, sizeof record, 1, log) == 1; index++) {
        if (record.offset == FLUSH) flushed = index;
        fseek(log, record.size, SEEK_CUR);
    }
    rewind(log);
    state = seed;
    static const uint64_t shares[] = {0, 100, 50, 90, 10};
    uint64_t share = shares[next() % 5];
    for (uint64_t index = 0; index < number && fread(&record, sizeof record, 1, log) == 1; index++) {
        must(record.size <= sizeof bytes, "log");
        must(fread(bytes, 1, record.size, log) == record.size, "log");
        if (record.offset == FLUSH) continue;
        write_some(output, bytes, record, index < flushed ? 100 : share);
    }
    return 0;
}

int main(int count, char **words) {
    if (count == 5 && !strcmp(words[1], "serve")) return serve(words[2], words[3], words[4]);
    if (count == 3 && !strcmp(words[1], "count")) {
        FILE *log = fopen(words[2], "r");
        must(log != NULL, words[2]);
        printf("%llu\n", (unsigned long long)count_records(log));
        return 0;
    }
    if (count == 7 && !strcmp(words[1], "cut")) {
        return cut(words[2], words[3], strtoull(words[4], NULL, 10), strtoull(words[5], NULL, 10),
                   words[6]);
    }
    fputs("usage: volatile-disk serve|count|cut ...\n", stderr);
    return 2;
}
