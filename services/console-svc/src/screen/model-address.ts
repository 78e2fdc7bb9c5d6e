/** Ids may contain slashes. */
export const modelAddress = (base: string, id: string): string => `${base}/models/${encodeURIComponent(id)}`;
