import { median } from '../measure/stats.ts';
import { claudeMarking } from '../../packages/providers/src/cache-marks/cache-marking.ts';
import { markedChat } from '../../packages/providers/src/cache-marks/marked-chat.ts';
import { markedMessages } from '../../packages/providers/src/cache-marks/marked-messages.ts';
import { openPromptUses } from '../../services/chat-svc/src/prompt-uses/prompt-uses.ts';
import { offerOf } from '../../packages/contracts/src/testing/index.ts';
import { openMemoryStore } from '../../packages/store/src/index.ts';
import type { ChatRequest, NativeRequest } from '../../packages/wire/src/index.ts';

/** CPU cost of marking a conversation of 50 messages for the cache of its vendor, and of remembering its use. */
const words = 'A sentence of usual length, as people and models write them. '.repeat(8);
const system = 'The rules of the house. '.repeat(250);
const messages = Array.from({ length: 50 }, (_, at) => ({
  role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
  content: `${at} ${words}`,
})).slice(0, 49);
const request: ChatRequest = { model: 'm', messages: [{ role: 'system', content: system }, ...messages] };
const json = JSON.stringify({ model: 'm', max_tokens: 1_000, system, messages });
const native: NativeRequest = {
  dialect: 'anthropic-messages',
  body: Buffer.from(json),
  members: JSON.parse(json),
  headers: {},
  model: 'm',
  limit: 1_000,
  isUntranslatable: false,
};
const pricing = { prompt: '0.000005', input_cache_read: '0.0000005' };
const marking = claudeMarking(offerOf('anthropic', { modelName: 'claude-opus-4-8', pricing }));
if (marking === undefined) throw new Error('The model has no cache.');
const reuse = { lifetime: '5m', isShared: false } as const;
const uses = openPromptUses(openMemoryStore(), { characters: 4_000 });
const chat = (promptCaching: 'off' | 'auto') => ({
  principal: { accountId: 'account', keyId: 'key', promptCaching },
  model: { id: 'm' },
  request,
});
const [on, off] = [chat('auto'), chat('off')];

const rounds = 20_000;
function costOf(work: () => unknown): string {
  const costs = Array.from({ length: 9 }, () => {
    const before = process.cpuUsage();
    for (let count = 0; count < rounds; count += 1) work();
    const { user, system: kernel } = process.cpuUsage(before);
    return (user + kernel) / rounds;
  });
  return `${median(costs).toFixed(2)} µs of CPU`;
}

console.log(`marks in a chat of 50 messages: ${costOf(() => markedChat(request, marking, reuse))}`);
console.log(`marks in the bytes of the same as Messages: ${costOf(() => markedMessages(native, marking, reuse))}`);
console.log(`remembering its use: ${costOf(() => uses.of(on))}`);
console.log(`the same where caching is off: ${costOf(() => uses.of(off))}`);
uses.close();
