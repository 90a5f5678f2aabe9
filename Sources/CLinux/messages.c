// Messages through sockets of unix(7): open files for the program that makes thumbnails, and texts for the service manager.
#include "clinux.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* The number of descriptors in a message. */
#define FILES 2

/* The control data of a message; see cmsg(3). There is room for twice as many descriptors, so that a wrong one is noticed. */
union control {
    char bytes[CMSG_SPACE(2 * FILES * sizeof(int))];
    struct cmsghdr header;
};

ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files) {
    union control control = {0};
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = CMSG_SPACE(FILES * sizeof(int))};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(FILES * sizeof(int));
    memcpy(CMSG_DATA(&control.header), files, FILES * sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files) {
    union control control = {0};
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes};
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count <= 0) return count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int has_files = header && header->cmsg_type == SCM_RIGHTS;
    size_t found = has_files ? (header->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    int *received = has_files ? (int *)CMSG_DATA(header) : NULL;
    if (found != FILES) {
        for (size_t i = 0; i < found; i++) close(received[i]);
        errno = EPROTO;
        return -1;
    }
    memcpy(files, received, FILES * sizeof(int));
    return count;
}

int clinux_send_datagram(const char *address, size_t length, const void *bytes, size_t count) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (length > sizeof to.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(to.sun_path, address, length);
    // An abstract address begins with a zero and has no terminator, see unix(7).
    if (length > 0 && to.sun_path[0] == '@') to.sun_path[0] = 0;
    int sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sender < 0) return -1;
    struct timeval timeout = {.tv_usec = 900000};
    setsockopt(sender, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(sender, bytes, count, MSG_NOSIGNAL, (struct sockaddr *)&to, size);
    close(sender);
    return sent < 0 ? -1 : 0;
}
