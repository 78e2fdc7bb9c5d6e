import { join } from 'node:path';
import {
  type CountClass,
  countFields,
  type Model,
  type TokenClass,
  tokenFields,
  toolFields,
} from '@tallyport/contracts';
import { buildCatalogue } from '../../services/catalog-svc/src/build-catalogue.ts';
import { gatherIngredients } from '../../services/catalog-svc/src/ingredients.ts';
import { readDataFiles, readTierRules } from '../../services/catalog-svc/src/read-data.ts';
import { samples } from '../money/class-samples.ts';
import { markdownTable } from './markdown-table.ts';
import { root } from './sources.ts';

type Class = TokenClass | CountClass;

/** What each vendor's reader reads besides input and output. */
const read: Readonly<Record<string, Partial<Record<Class, string>>>> = {
  anthropic: {
    cacheRead: 'cache_read_input_tokens',
    cacheWrite: 'cache_creation.ephemeral_5m_input_tokens',
    cacheWrite1h: 'cache_creation.ephemeral_1h_input_tokens',
    reasoning: 'output_tokens_details.thinking_tokens',
    compactionIn: 'iterations[compaction]',
    compactionOut: 'iterations[compaction]',
    advisorIn: 'iterations[advisor_message]',
    advisorOut: 'iterations[advisor_message]',
    webSearches: 'server_tool_use.web_search_requests',
    webFetches: 'server_tool_use.web_fetch_requests',
  },
  openai: {
    cacheRead: 'cached_tokens',
    cacheWrite30m: 'cache_write_tokens_details.ttl_30m_tokens',
    cacheWrite12h: 'cache_write_tokens_details.ttl_12h_tokens',
    reasoning: 'reasoning_tokens',
    audioIn: 'prompt_tokens_details.audio_tokens',
    audioOut: 'completion_tokens_details.audio_tokens',
    imageIn: 'prompt_tokens_details.image_tokens',
    imageToolIn: 'tool_usage.image_gen',
    imageToolOut: 'tool_usage.image_gen',
    webSearches: 'tool_usage.web_search',
    fileSearches: 'output[file_search_call]',
    codeSessions: 'output[code_interpreter_call].container_id',
  },
  google: {
    cacheRead: 'cachedContentTokenCount',
    reasoning: 'thoughtsTokenCount',
    toolPrompt: 'toolUsePromptTokenCount',
    imageIn: 'promptTokensDetails[IMAGE]',
    imageOut: 'candidatesTokensDetails[IMAGE]',
    audioIn: 'promptTokensDetails[AUDIO]',
    audioCacheRead: 'cacheTokensDetails[AUDIO]',
    audioOut: 'candidatesTokensDetails[AUDIO]',
    groundingSearches: 'groundingMetadata.webSearchQueries',
    groundingMaps: 'groundingMetadata.groundingChunks[maps]',
    groundingImages: 'groundingMetadata.imageSearchQueries',
  },
  'aws-bedrock': {
    cacheRead: 'cacheReadInputTokens',
    cacheWrite: 'cacheWriteInputTokens',
    cacheWrite1h: 'cacheDetails[1h]',
  },
};

/** What is read of vendors with tools or lifetimes of their own, how it is priced, and whether that is tested. */
export async function classTable(): Promise<string> {
  const data = join(root, 'services/catalog-svc/src/data');
  const ingredients = gatherIngredients(await readDataFiles(data), await readTierRules(data));
  const { models } = buildCatalogue(ingredients, { sandbox: false, now: Date.parse('2026-11-26') });
  const rows = Object.entries(read).flatMap(([vendor, members]) =>
    Object.entries(members).map(([name, member]) => {
      const of = name as Class;
      return [vendor, columnOf(of), `\`${member}\``, priceOf(of, vendor, models), isTested(of, vendor) ? 'yes' : 'no'];
    }),
  );
  return markdownTable([['vendor', 'class', 'read', 'priced', 'tested'], ...rows]);
}

const isToken = (name: Class): name is TokenClass => name in tokenFields;

const columnOf = (name: Class): string => (isToken(name) ? `${tokenFields[name].name}_tokens` : countFields[name].name);

function priceOf(name: Class, vendor: string, models: readonly Model[]): string {
  const [own, ...general] = kindsOf(name);
  if (own === undefined) return 'by its model';
  const offers = models.flatMap((model) => model.offers.filter(({ providerId }) => providerId === vendor));
  const has = (kind: string): boolean => offers.some(({ pricing }) => pricing[kind] !== undefined);
  if (has(own)) return 'yes';
  return general.some(has) ? `as ${isToken(name) && tokenFields[name].of === 'answer' ? 'output' : 'input'}` : 'no';
}

/** None: it has the prices of another model. */
function kindsOf(name: Class): readonly string[] {
  if (isToken(name)) return tokenFields[name].prices;
  return name in toolFields ? [toolFields[name as keyof typeof toolFields].price] : [];
}

const isTested = (name: Class, vendor: string): boolean =>
  Object.values(samples).some(({ model, counts }) => model.startsWith(`${vendor}/`) && Boolean(counts[name]));
