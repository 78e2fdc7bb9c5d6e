const names = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);

/** Whether a host name or address refers to this machine only. */
export const isLoopback = (host: string): boolean => names.has(host);
