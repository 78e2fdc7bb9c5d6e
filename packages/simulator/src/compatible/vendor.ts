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
} from '@switchyard/sandbox';

/** A chat as a vendor sees it when it decides how to spell its answer. */
export interface VendorChat {
  readonly body: JsonObject;
  readonly question: ChatQuestion;
}

/** How an answer in OpenAI's format is spelled here. What is left out is as OpenAI has it. */
export interface Spelling {
  /** `think`: in front of the content, in tags · `parts`: content is a list · `hidden`: counted and not shown. */
  readonly reasoning: 'reasoning_content' | 'reasoning' | 'think' | 'parts' | 'hidden';
  readonly toolId: (call: ChoiceToolCall, index: number) => string;
  /** The calls as pieces of a stream; `id` is spelled already. */
  readonly toolDeltas: (call: ChoiceToolCall, index: number) => readonly object[];
  readonly finishReason: (choice: Choice) => string;
  readonly usage: (spent: TokenCounts) => object;
  /** `asked`: a chunk of its own, on request · `last`: always, on the last chunk · `every` chunk · `choice`: in the last chunk's choice. */
  readonly usagePlace: 'asked' | 'last' | 'every' | 'choice';
  /** Further members of the answer and of every chunk. */
  readonly answerMembers: object;
  readonly choiceMembers: object;
  /** Further members of the message, and of one delta of the stream. */
  readonly messageMembers: (choice: Choice) => object;
  /** Further members of every delta. */
  readonly deltaMembers: object;
  /** Further members of the chunk that ends a choice. */
  readonly lastMembers: (usage: object) => object;
  /** What precedes a stream, and a whole answer. */
  readonly preamble: { readonly stream: readonly Piece[]; readonly whole: string };
}

/** A vendor whose format is OpenAI's with a difference: data, and as little code as the difference needs. */
export interface CompatibleVendor {
  readonly id: string;
  /** Where chats are taken; without: `/chat/completions` behind its base. */
  readonly path?: RegExp;
  /** Without: `Authorization: Bearer`. */
  readonly credential?: 'none' | 'api-key';
  /** Members that OpenAI's checks must leave alone, because this vendor has others. */
  readonly ownMembers?: readonly string[];
  /** What this vendor refuses and OpenAI does not. */
  readonly refuse?: (body: JsonObject, request: ArrivedRequest) => ApiError | undefined;
  /** The deployment or model named in the path. */
  readonly modelOf?: (request: ArrivedRequest) => string | undefined;
  /** What a status is called here. */
  readonly words?: Readonly<Record<number, Partial<ApiError>>>;
  /** Without: as OpenAI has it. */
  readonly errorBody?: (error: ApiError) => unknown;
  /** For errors that are not JSON, or not an error status. */
  readonly errorReply?: (error: ApiError) => Reply | undefined;
  readonly midStream?: readonly Piece[];
  readonly comment?: Piece;
  readonly spell?: (asked: VendorChat) => Partial<Spelling>;
  /** The answer of a model that makes images, where this is one. */
  readonly imageChoice?: (asked: VendorChat) => Choice | undefined;
}
