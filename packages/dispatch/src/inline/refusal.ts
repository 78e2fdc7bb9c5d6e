/** Why a URL of a client's is not fetched, as the end of a sentence that begins with what it is: fit for the client. */
export class UrlRefusal extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'UrlRefusal';
  }
}
