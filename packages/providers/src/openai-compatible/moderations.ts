import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';
import type { ModerationsFormat } from '../spec/call-formats.ts';
import { finiteNumber, isMembers, items, members, text } from '../read.ts';
import {
  hasImages,
  type ModerationCall,
  type ModerationResult,
  moderationTexts,
  wantedResults,
} from '../spec/moderation-call.ts';

/** How a vendor deviates from OpenAI's moderations. */
export interface OpenAiModerationsOptions {
  /** Defaults to `/moderations`. */
  path?: string;
  /** Accepts parts of text and images. Without it, every text has a result of its own. */
  parts?: boolean;
}

/** OpenAI's moderations, and those of vendors with its format. */
export function openAiModerations(vendor: OpenAiVendor, options: OpenAiModerationsOptions): ModerationsFormat {
  const { path = '/moderations', parts = false } = options;
  return {
    unsupported: (call) => (!parts && (hasImages(call) || isSplitItem(call)) ? 'input' : undefined),
    request: (call, { modelName }) => posted(path, { model: modelName, input: parts ? call.input : textsOf(call) }),
    response(body, call) {
      if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
      const fault = faultIn(body, vendor);
      if (fault !== undefined) throw fault;
      const results = items(body.results).map((result) => resultOf(result, vendor.id));
      if (results.length !== wantedResults(call)) {
        throw unreadableAnswer(vendor.id, `${results.length} results for ${wantedResults(call)} items`);
      }
      const id = text(body.id);
      const promptTokens = finiteNumber(members(body.usage).prompt_tokens);
      return { ...(id !== undefined && { id }), results, ...(promptTokens !== undefined && { promptTokens }) };
    },
  };
}

/** Several parts are one item, which a vendor without parts would judge one by one. */
const isSplitItem = (call: ModerationCall): boolean =>
  Array.isArray(call.input) && call.input.length > wantedResults(call);

const textsOf = (call: ModerationCall): string | string[] =>
  typeof call.input === 'string' ? call.input : moderationTexts(call);

/** Some vendors leave out `flagged`: content is flagged if any category is. */
function resultOf(result: unknown, providerId: string): ModerationResult {
  const { flagged, categories, category_scores, ...rest } = members(result);
  if (!isMembers(categories) || !isMembers(category_scores)) {
    throw unreadableAnswer(providerId, 'A result has no categories or no scores.');
  }
  const isFlagged = typeof flagged === 'boolean' ? flagged : Object.values(categories).includes(true);
  return { flagged: isFlagged, categories, category_scores, ...rest };
}
