import { alibabaVendor } from './vendors/alibaba.ts';
import { azureVendor } from './vendors/azure.ts';
import { bytedanceVendor } from './vendors/bytedance.ts';
import { cerebrasVendor } from './vendors/cerebras.ts';
import { deepseekVendor } from './vendors/deepseek.ts';
import { fireworksVendor } from './vendors/fireworks.ts';
import { groqVendor } from './vendors/groq.ts';
import { minimaxVendor } from './vendors/minimax.ts';
import { mistralVendor } from './vendors/mistral.ts';
import { moonshotVendor } from './vendors/moonshot.ts';
import { novitaVendor } from './vendors/novita.ts';
import { ollamaVendor } from './vendors/ollama.ts';
import { openrouterVendor } from './vendors/openrouter.ts';
import { perplexityVendor } from './vendors/perplexity.ts';
import { togetherVendor } from './vendors/together.ts';
import { vllmVendor } from './vendors/vllm.ts';
import { xaiVendor } from './vendors/xai.ts';
import { zaiVendor } from './vendors/zai.ts';
import type { CompatibleVendor } from './vendor.ts';

/** Every vendor whose format differs from OpenAI's. */
export const vendors: readonly CompatibleVendor[] = [
  alibabaVendor,
  azureVendor,
  bytedanceVendor,
  cerebrasVendor,
  deepseekVendor,
  fireworksVendor,
  groqVendor,
  minimaxVendor,
  mistralVendor,
  moonshotVendor,
  novitaVendor,
  ollamaVendor,
  openrouterVendor,
  perplexityVendor,
  togetherVendor,
  vllmVendor,
  xaiVendor,
  zaiVendor,
];
