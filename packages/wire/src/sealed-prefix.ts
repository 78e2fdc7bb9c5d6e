/**
 * Begins opaque texts that this gateway gives to clients, with what a vendor wants back. Only this gateway can read them,
 * so no vendor may get one.
 */
export const sealedPrefix = 'tallyport-1.';

/** The same in base64, which Google's API requires of signatures. */
const encodedPrefix = Buffer.from(sealedPrefix).toString('base64');

export const isSealedSignature = (signature: string): boolean => signature.startsWith(encodedPrefix);
