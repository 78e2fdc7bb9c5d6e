/** The last message of a request that compacts a conversation. docs/clients.md has it word for word. */
export const compactionInstruction = `Summarize the conversation so far, so that you can continue it from the summary alone: what the user wants and has said about how, what was done and found out, decisions and their reasons, names, numbers, paths and code that are still needed, what is unfinished, and the next step. Do not answer or continue the conversation, and do not call tools. Write only the summary, in at most 2000 words.`;

/** Stands in front of a summary where a model reads it. docs/clients.md has it word for word. */
export const summaryOpening = 'This is a summary of the conversation before this point:';
