/** The body under construction. It is our own object and is changed in place. */
export type VendorBody = Record<string, unknown>;

/** Removes a member. Looks first, because removing what is absent costs far more. */
export function leaveOut(body: VendorBody, name: string): void {
  if (name in body) delete body[name];
}
