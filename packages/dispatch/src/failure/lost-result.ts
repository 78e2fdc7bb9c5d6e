/** Images that were made and paid for, but could not be fetched: no other provider is asked to make them. */
export class LostResult extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'LostResult';
  }
}
