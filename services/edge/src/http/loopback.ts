const names = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

/** Whether a host, of an address or of a setting, is this machine and nobody else's. */
export const isLoopback = (host: string): boolean => names.has(host);
