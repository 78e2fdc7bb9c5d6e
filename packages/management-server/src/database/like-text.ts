/** A text that a pattern of SQL's `like` matches as it is. */
export const likeText = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
