#include "clinux.h"

#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Code that was changed when it was loaded is in no file: see DT_TEXTREL in elf(5). */
static bool is_changed(const struct dl_phdr_info *object) {
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return true;
            if (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL) return true;
        }
    }
    return false;
}

static int drop(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    // The kernel's own, which is in no file either: see vdso(7).
    if (strncmp(object->dlpi_name, "linux-", 6) == 0 || is_changed(object)) return 0;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        // Whole pages of this segment and of no other.
        uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        uintptr_t end = (start + segment->p_memsz) / page * page;
        start = (start + page - 1) / page * page;
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void clinux_trim(void) { malloc_trim(0); }

void clinux_drop_code(void) { dl_iterate_phdr(drop, NULL); }
