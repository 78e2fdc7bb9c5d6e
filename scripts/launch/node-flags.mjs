/**
 * For every service. Images set them in NODE_OPTIONS.
 *
 * A collection of the young generation copies what the requests in flight hold, so it costs the same however much was
 * allocated since the last one. At 32 MB the services need 11 % less CPU per request than at 8 MB.
 *
 * `gc` is exposed for one collection at the end of the start, whose garbage is 40 MB of the 96 MB of an idle service, and
 * for those of quiet services (packages/service-kit/src/life).
 */
export const nodeOptions = ['--max-semi-space-size=32', '--expose-gc'];

/**
 * The same, but Node refuses it in NODE_OPTIONS, so it is in the entry point of images.
 *
 * V8's memory reducer collects all garbage in a pause of some seconds and shrinks the young generation. The requests after
 * the pause pay for both: a tenth of their CPU and more. Services return memory by themselves, after a quiet minute.
 */
export const nodeArguments = ['--no-memory-reducer'];

export const serviceFlags = [...nodeOptions, ...nodeArguments];

/**
 * Settings of the allocator for every service: by default each thread has its own arena, which keeps the memory of its
 * peaks. Two shared arenas save 6 MB in an idle service and 18 MB after ten thousand chats.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' };

/**
 * Settings of the allocator for single services.
 *
 * image-svc: images arrive in pieces of some tens of kilobytes, whose freed memory the allocator keeps: 150 MB after an
 * hour of images. Pieces from this size on are returned to the system at once, which costs a third of image-svc's CPU.
 * Not for services that stream: every read of a socket would pay for it.
 *
 * all-in-one: without a value the size grows with the largest piece that was freed, and a start frees large ones. A fixed
 * one saves 20 MB of 260.
 */
export const ownEnvironment = {
  'image-svc': { MALLOC_MMAP_THRESHOLD_: '32768' },
  'all-in-one': { MALLOC_MMAP_THRESHOLD_: '131072' },
};

/** For the one process of `npm start`. */
export const oneProcessEnvironment = { ...serviceEnvironment, ...ownEnvironment['all-in-one'] };
