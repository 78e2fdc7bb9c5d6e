import {
  composeChoice,
  contentHash,
  type FamilySettings,
  isObject,
  type JsonObject,
  objectsOf,
} from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { anthropicInvalid, type AnthropicFinding } from './errors.ts';
import type { AnthropicAnswer } from './message.ts';
import { readAnthropicQuestion } from './question.ts';
import type { AnthropicCache } from './prompt-cache.ts';
import { findAnthropicFault } from './strictness.ts';
import { anthropicUse } from './usage.ts';

/** Claude in another vendor's cloud: Anthropic's API without what Anthropic itself runs, and with the model in the path. */
interface HostedClaude {
  /** As Anthropic names it. */
  model: string;
  betas: readonly string[];
  /** Tools of Anthropic's that the cloud lacks. */
  missingTools: RegExp;
}

/** The first error that the model would report for a body without the cloud's own members. */
export function findHostedFault(body: JsonObject, { model, betas, missingTools }: HostedClaude): AnthropicFinding {
  const missing = missingMembers.find((name) => body[name] !== undefined);
  if (missing !== undefined) return anthropicInvalid(`${missing}: Extra inputs are not permitted`);
  if (body.context_management !== undefined && !betas.some((beta) => /^(context-management|compact)-/.test(beta)))
    return anthropicInvalid('context_management: Extra inputs are not permitted');
  return (
    findFirst(objectsOf(body.tools), ({ type }, index) => checkKind(type, { missingTools, path: `tools.${index}` })) ??
    findFirst(objectsOf(body.messages), ({ content }, index) => checkSources(content, `messages.${index}.content`)) ??
    findAnthropicFault({ ...body, model }, { version: '2023-06-01', betas })
  );
}

const missingMembers = ['model', 'cache_control', 'container', 'inference_geo', 'mcp_servers', 'service_tier', 'speed'];

const checkKind = (type: unknown, { missingTools, path }: { missingTools: RegExp; path: string }): AnthropicFinding =>
  typeof type === 'string' && missingTools.test(type)
    ? anthropicInvalid(`${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`)
    : undefined;

const checkSources = (content: unknown, path: string): AnthropicFinding =>
  findFirst(objectsOf(content), ({ type, source }, index) =>
    isObject(source) && source.type === 'url'
      ? anthropicInvalid(
          `${path}.${index}.${String(type)}.source: Input tag 'url' found using 'type' does not match any of the expected tags: 'base64'`,
        )
      : undefined,
  );

interface HostedQuestion {
  provider: string;
  /** Begins the ids of this cloud. */
  idPrefix: string;
  model: string;
  stream: boolean;
  settings: FamilySettings;
  key: string;
  cache: AnthropicCache;
}

export function hostedAnswer(
  body: JsonObject,
  { provider, idPrefix, model, stream, settings, key, cache }: HostedQuestion,
): AnthropicAnswer {
  const question = readAnthropicQuestion({ ...body, model, stream });
  const choice = composeChoice(question, { provider, seed: settings.seed });
  const id = `${idPrefix}${contentHash(`${settings.seed}/${key}`).slice(0, 20)}`;
  return { id, model, choice, use: anthropicUse({ body, question, choice, cache: cache.use(body, model) }) };
}
