/** Images that were made and paid for but could not be fetched. No other provider is asked to make them again. */
export class LostResult extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'LostResult';
  }
}
