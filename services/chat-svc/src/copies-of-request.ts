/** A request is held as text, as the provider's request, and as the bytes of that. */
export const copiesOfRequest = 3;
