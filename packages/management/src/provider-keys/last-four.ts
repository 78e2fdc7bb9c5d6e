const minLengthToShow = 16;

/** The characters by which people recognise a provider key; empty for short keys, of which they reveal too much. */
export const lastFour = (key: string): string => (key.length < minLengthToShow ? '' : key.slice(-4));
