/**
 * Why a client's URL is not fetched, as the end of a sentence whose subject is the image. Safe to show to the client.
 */
export class UrlRefusal extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options);
    this.name = 'UrlRefusal';
  }
}
