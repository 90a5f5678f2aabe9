// Starts child processes by posix_spawn(3).
#include "clinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

/* Adds what the child does before it executes the program; returns 0 or the number of an error. */
static int add_actions(
    posix_spawn_file_actions_t *actions, const int *streams, const char *directory) {
    int code = 0;
    for (int stream = 0; stream < 3 && !code; stream++)
        code = streams[stream] < 0
            ? posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_RDWR, 0)
            : posix_spawn_file_actions_adddup2(actions, streams[stream], stream);
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    if (!code && directory) code = posix_spawn_file_actions_addchdir_np(actions, directory);
    return code;
}

int clinux_spawn(
    pid_t *pid, const char *path, char *const *words, char *const *variables, const int *streams,
    const char *directory, int own_group) {
    sigset_t no_signals, all_signals;
    sigemptyset(&no_signals);
    sigfillset(&all_signals);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &no_signals);
    posix_spawnattr_setsigdefault(&attributes, &all_signals);
    int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
    posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int code = add_actions(&actions, streams, directory);
    if (!code) code = posix_spawn(pid, path, &actions, &attributes, words, variables);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = code;
    return code ? -1 : 0;
}
