/**
 * For every service.
 *
 * V8 lets the young generation grow to 16 MB and more per process before a collection, which with thousands of open
 * streams is a third of all memory. The garbage of a request is collected just as well at 8 MB.
 *
 * `gc` is exposed for one collection at the end of the start: its garbage is 40 MB of the 96 MB of an idle service.
 */
export const serviceFlags = ['--max-semi-space-size=8', '--expose-gc'];

/**
 * The embedded database is one large WebAssembly module. Optimising it after the first compilation takes 600 MB at
 * every start.
 */
export const allInOneFlags = [...serviceFlags, '--liftoff-only'];

/**
 * Settings of the allocator for every service: by default each thread has its own arena, which keeps the memory of its
 * peaks. Two shared arenas save 6 MB in an idle service and 18 MB after ten thousand chats.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' };

/**
 * Settings of the allocator for single services.
 *
 * image-svc: images arrive in pieces of some tens of kilobytes, whose freed memory the allocator keeps: 150 MB after an
 * hour of images. Pieces from this size on are returned to the system at once. Not for services that stream: every read
 * of a socket would pay for it.
 */
export const ownEnvironment = {
  'image-svc': { MALLOC_MMAP_THRESHOLD_: '32768' },
};
