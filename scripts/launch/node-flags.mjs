/**
 * For every service. V8 lets the young generation grow to 16 MB and more per process before a collection, which with
 * thousands of open streams is a third of all memory. The garbage of a request is collected just as well at 8 MB.
 */
export const serviceFlags = ['--max-semi-space-size=8'];

/**
 * The embedded database is one large WebAssembly module. Optimising it after the first compilation takes 600 MB at
 * every start.
 */
export const allInOneFlags = [...serviceFlags, '--liftoff-only'];

/**
 * Allocator settings of single services.
 *
 * chat-svc: by default each thread has its own arena, which keeps the memory of its peaks: 40 MB of 300 after ten
 * thousand chats, 22 of 275 with two shared arenas.
 *
 * image-svc: images arrive in pieces of some tens of kilobytes, whose freed memory the allocator keeps: 150 MB after an
 * hour of images. Pieces from this size on are returned to the system at once. Not for services that stream: every read
 * of a socket would pay for it.
 */
export const ownEnvironment = {
  'chat-svc': { MALLOC_ARENA_MAX: '2' },
  'image-svc': { MALLOC_MMAP_THRESHOLD_: '32768' },
};
