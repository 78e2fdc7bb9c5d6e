/** A failure after the client has seen a part of the result. No other provider is asked, as after the commit of a chat. */
export class ShownResult extends Error {
  constructor(cause: unknown) {
    super('failed after a part of its result was shown', { cause });
    this.name = 'ShownResult';
  }
}
