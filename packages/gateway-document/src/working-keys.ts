/** The query of the keys that work, which are all in one response: revoked ones would be before the newest keys. */
export const workingKeys = { state: 'working' } as const;
