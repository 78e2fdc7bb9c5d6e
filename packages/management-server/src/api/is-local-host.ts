/** Whether this is a name or an address of this machine. */
export const isLocalHost = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
