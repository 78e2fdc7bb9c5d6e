import { alibaba } from './vendors/alibaba.ts';
import { azure } from './vendors/azure.ts';
import { bytedance } from './vendors/bytedance.ts';
import { cerebras } from './vendors/cerebras.ts';
import { deepseek } from './vendors/deepseek.ts';
import { fireworks } from './vendors/fireworks.ts';
import { groq } from './vendors/groq.ts';
import { minimax } from './vendors/minimax.ts';
import { mistral } from './vendors/mistral.ts';
import { moonshot } from './vendors/moonshot.ts';
import { novita } from './vendors/novita.ts';
import { ollama } from './vendors/ollama.ts';
import { openrouter } from './vendors/openrouter.ts';
import { perplexity } from './vendors/perplexity.ts';
import { together } from './vendors/together.ts';
import { vllm } from './vendors/vllm.ts';
import { xai } from './vendors/xai.ts';
import { zai } from './vendors/zai.ts';
import type { Vendor } from './vendor.ts';

/** Everybody whose format is OpenAI's with a difference. */
export const vendors: readonly Vendor[] = [
  ...[alibaba, azure, bytedance, cerebras, deepseek, fireworks, groq, minimax, mistral, moonshot, novita, ollama],
  ...[openrouter, perplexity, together, vllm, xai, zai],
];
