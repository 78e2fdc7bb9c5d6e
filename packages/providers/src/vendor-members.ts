import { chatProviders } from './chat-providers.ts';
import { foreignMembers } from './openai-compatible/foreign-members.ts';

/** Members of a chat request beyond OpenAI's that some vendor knows. */
export const vendorMembers: ReadonlySet<string> = new Set([
  ...foreignMembers,
  ...chatProviders.flatMap(({ members = [] }) => members),
]);
