import {
  type Piece,
  type Reply,
  type JsonObject,
  type Choice,
  type ChoiceToolCall,
  type ChatQuestion,
  type TokenCounts,
  type ApiError,
  type ArrivedRequest,
} from '@tallyport/sandbox';

/** A chat request, with everything a vendor needs to decide the format of its answer. */
export interface VendorChat {
  readonly body: JsonObject;
  readonly question: ChatQuestion;
}

export interface ReasoningPiece {
  readonly text: string;
  /** The whole reasoning, if it ends with this piece. */
  readonly signs?: string;
}

/** How a vendor's answer differs from OpenAI's format. Absent members mean no difference. */
export interface Spelling {
  /** `think`: in tags before the content · `parts`: content is a list · `hidden`: counted but not returned. */
  readonly reasoning: 'reasoning_content' | 'reasoning' | 'think' | 'parts' | 'hidden';
  readonly toolId: (call: ChoiceToolCall, index: number) => string;
  /** The calls as pieces of a stream; `id` is already in the vendor's format. */
  readonly toolDeltas: (call: ChoiceToolCall, index: number) => readonly object[];
  readonly finishReason: (choice: Choice) => string;
  /** `billed`: what it bills for the answer in a tier, as USD. */
  readonly usage: (spent: TokenCounts, billed: (tier: string) => string) => object;
  /** The tier that the vendor bills. */
  readonly tier: string;
  /**
   * `asked`: a separate chunk, on request · `last`: always, on the last chunk · `every` chunk · `choice`: in the last
   * chunk's choice.
   */
  readonly usagePlace: 'asked' | 'last' | 'every' | 'choice';
  /** Further members of the answer and of every chunk. */
  readonly answerMembers: object;
  readonly choiceMembers: object;
  /** A piece of `reasoning_details`, which accompany the reasoning; absent: the vendor has none. */
  readonly reasoningDetail?: (piece: ReasoningPiece) => object;
  /** Further members of the message, and of one delta of the stream. */
  readonly messageMembers: (choice: Choice) => object;
  /** Further members of every delta. */
  readonly deltaMembers: object;
  /** Further members of the chunk that ends a choice. */
  readonly lastMembers: (usage: object) => object;
  /** Sent before a stream, and before a whole answer. */
  readonly preamble: { readonly stream: readonly Piece[]; readonly whole: string };
}

/** A vendor whose format differs from OpenAI's, described as data and small functions. */
export interface CompatibleVendor {
  readonly id: string;
  /** The path of chats. Defaults to `/chat/completions` after its base. */
  readonly path?: RegExp;
  /** Defaults to `Authorization: Bearer`. */
  readonly credential?: 'none' | 'api-key';
  /** Members that OpenAI's checks must ignore, because this vendor defines them differently. */
  readonly ownMembers?: readonly string[];
  /** Kinds of parts that OpenAI's checks must ignore, because this vendor defines them differently. */
  readonly ownParts?: readonly string[];
  /** Refuses requests that OpenAI would accept. */
  readonly refuse?: (body: JsonObject, request: ArrivedRequest) => ApiError | undefined;
  /** The models that `GET /models` after its base lists, of servers whose list is read. */
  readonly lists?: readonly object[];
  /** What only a valid key can read. Defaults to `/models`. */
  readonly keyPath?: string;
  /** The deployment or model named in the path. */
  readonly modelOf?: (request: ArrivedRequest) => string | undefined;
  /** The vendor's error texts and codes, by status. */
  readonly errorTexts?: Readonly<Record<number, Partial<ApiError>>>;
  /** Defaults to OpenAI's. */
  readonly errorBody?: (error: ApiError) => unknown;
  /** For errors that are not JSON, or have status 200. */
  readonly errorReply?: (error: ApiError) => Reply | undefined;
  readonly midStream?: readonly Piece[];
  readonly comment?: Piece;
  readonly spell?: (asked: VendorChat) => Partial<Spelling>;
  /** Models that think unless the request switches it off. */
  readonly thinksByDefault?: RegExp;
  /** Models of which it caches what is marked, as Anthropic does. */
  readonly cachesMarks?: RegExp;
  /** The answer of an image model; `undefined` for other models. */
  readonly imageChoice?: (asked: VendorChat) => Choice | undefined;
}
