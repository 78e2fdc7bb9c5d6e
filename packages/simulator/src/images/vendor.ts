import {
  type Reply,
  type FaultDialect,
  type JsonObject,
  type ApiError,
  type ArrivedRequest,
  type ImageSpec,
} from '@tallyport/sandbox';

/** What a vendor uses to make its answer. */
export interface ImageTurn {
  readonly body: JsonObject;
  readonly request: ArrivedRequest;
  /** Unix seconds. */
  readonly now: number;
  /** Base64. */
  encode(spec: ImageSpec): string;
  /** The URL of the image for a limited time, with redirects if the prompt asks for them. */
  publish(spec: ImageSpec, prompt: string): string;
}

export interface ImageVendorAnswer {
  readonly reply: Reply;
  /** Images that were made and are billed. */
  readonly images: number;
}

/** One image operation of a vendor whose format is not OpenAI's. */
export interface ImageVendor {
  readonly id: string;
  readonly method?: 'GET';
  readonly path: RegExp;
  readonly dialect: FaultDialect;
  /** The vendor's response for this error. */
  refusal(error: ApiError): Reply;
  /** Returns the error if the vendor refuses the request, else the answer. */
  answer(turn: ImageTurn): ImageVendorAnswer | ApiError;
}
