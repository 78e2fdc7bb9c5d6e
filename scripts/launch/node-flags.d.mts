export const serviceFlags: readonly string[];
export const allInOneFlags: readonly string[];
