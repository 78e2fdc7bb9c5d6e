import { GatewayError } from '@tallyport/contracts';

/** The content of a file is gone, or is not what was stored. Reading it again helps only if the storage is mended. */
export class LostContent extends GatewayError {
  constructor(message: string, cause: unknown) {
    super('internal_error', message, { cause });
  }
}
