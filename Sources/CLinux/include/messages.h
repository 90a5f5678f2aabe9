#ifndef CLINUX_MESSAGES_H
#define CLINUX_MESSAGES_H

/* Messages through sockets of unix(7). The functions return -1 on failure, and set errno. */

#include <sys/types.h>

/* Sends one message with two descriptors, see unix(7). */
ssize_t clinux_send(int socket, const void *bytes, size_t count, const int *files);
/* Receives one message with two descriptors, which get O_CLOEXEC. Fails with EPROTO for another number of descriptors; 0 means
   that the sender has closed its socket. */
ssize_t clinux_receive(int socket, void *bytes, size_t size, int *files);
/* Sends a datagram to a socket of unix(7). An address that begins with @ is abstract. If the receiver's queue is full, waits so
   many `microseconds`, which must be less than a second, and then fails with EAGAIN. */
int clinux_send_datagram(
    const char *address, size_t length, const void *bytes, size_t count, int microseconds);

#endif
