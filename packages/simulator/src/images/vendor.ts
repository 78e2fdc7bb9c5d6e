import {
  type Reply,
  type FaultDialect,
  type JsonObject,
  type ApiError,
  type ArrivedRequest,
  type ImageWish,
} from '@switchyard/sandbox';

/** What a vendor makes its answer with. */
export interface ImageTurn {
  readonly body: JsonObject;
  readonly request: ArrivedRequest;
  /** Unix seconds. */
  readonly now: number;
  /** Base64. */
  encode(wish: ImageWish): string;
  /** An address where the image can be had for a while, as the prompt wishes. */
  publish(wish: ImageWish, prompt: string): string;
}

export interface ImageVendorAnswer {
  readonly reply: Reply;
  /** Made, and to be paid for. */
  readonly images: number;
}

/** One way to ask a vendor for images that is not OpenAI's. */
export interface ImageVendor {
  readonly id: string;
  readonly method?: 'GET';
  readonly path: RegExp;
  readonly dialect: FaultDialect;
  /** What this vendor says to that error. */
  refusal(error: ApiError): Reply;
  /** Where the vendor says no, the error, else the answer. */
  answer(turn: ImageTurn): ImageVendorAnswer | ApiError;
}
