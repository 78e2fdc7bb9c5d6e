/** Text that Postgres stores: without NUL and without halves of characters. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
