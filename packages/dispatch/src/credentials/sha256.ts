import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

type Data = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 of Node in the interface that the signer expects. */
export class Sha256 {
  readonly #secret: Uint8Array | string | undefined;
  #state: Hash | Hmac;

  constructor(secret?: Data) {
    this.#secret = secret === undefined ? undefined : bytesOf(secret);
    this.#state = begin(this.#secret);
  }

  update(data: Data): void {
    this.#state.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#state.digest());
  }

  reset(): void {
    this.#state = begin(this.#secret);
  }
}

const begin = (secret: Uint8Array | string | undefined): Hash | Hmac =>
  secret === undefined ? createHash('sha256') : createHmac('sha256', secret);

function bytesOf(data: Data): Uint8Array | string {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
