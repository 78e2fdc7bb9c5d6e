/** The body under construction. It is our own object and is changed in place. */
export type VendorBody = Record<string, unknown>;
