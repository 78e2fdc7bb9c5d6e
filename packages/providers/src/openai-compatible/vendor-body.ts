/** The body of a request while it is made: ours, and changed in place. */
export type VendorBody = Record<string, unknown>;
