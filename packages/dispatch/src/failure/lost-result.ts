/** Images that were made and paid for, and could not be had: nobody is asked to make them again. */
export class LostResult extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'LostResult';
  }
}
