/**
 * For every service. V8 lets the young generation grow to 16 MB and more per process before it cleans up, which with
 * thousands of open streams is a third of all memory; what a request leaves behind is gone after 8 MB just as well.
 */
export const serviceFlags = ['--max-semi-space-size=8'];

/** The embedded database is one large WebAssembly module: compiling it again for speed takes 600 MB at every start. */
export const allInOneFlags = [...serviceFlags, '--liftoff-only'];

/**
 * What one service needs besides. Images come in pieces of some tens of kilobytes, and the allocator keeps what such
 * pieces leave behind: 150 MB after an hour of images. From this size on it gives memory back at once. Not for services
 * that stream: there every read of a socket would pay for it.
 */
export const ownEnvironment = { 'image-svc': { MALLOC_MMAP_THRESHOLD_: '32768' } };
