/** Patterns of keys, per vendor and in general. Vendors quote keys in their error messages, whole or shortened. */
const patterns = [
  /\b(?:sk|pk|rk|ak|gsk|pplx|xai|fw|csk|nvapi|tgp|r8|hf)[-_][\w*.-]{5,}[\w*]/gi,
  // What a vendor left of a key.
  /\*{4,}[\w-]{1,12}/g,
  /\b(?:AIza[\w-]{16,}|AKIA[A-Z0-9]{12,}|ASIA[A-Z0-9]{12,})/g,
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]+)?/g,
  /\bBearer\s+[^\s"',;]+/gi,
  // Long runs of letters and digits are usually keys; ids usually contain dashes and underscores.
  /(?<![\w-])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{24,}(?![\w-])/g,
];

/** Replaces everything that looks like a key. */
export const maskKeys = (text: string): string =>
  patterns.reduce((masked, pattern) => masked.replaceAll(pattern, '[key]'), text);
