import { z } from 'zod';
import { absent, openObject } from '../anthropic-messages/block-schemas.ts';
import { proto } from './proto.ts';

const inlineData = proto({ mimeType: z.string().min(1), data: z.string().min(1) });
const fileData = proto({ fileUri: z.string().min(1), mimeType: z.string().nullish() });

const functionResponse = proto({
  id: z.string().nullish(),
  name: z.string().min(1),
  response: openObject.nullish(),
  parts: z
    .array(proto({ inlineData, fileData: absent('files of a function response are not supported: send inlineData') }))
    .nullish(),
});

const payloads = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

const part = proto({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  thoughtSignature: z.string().nullish(),
  inlineData: inlineData.nullish(),
  fileData: fileData.nullish(),
  functionCall: proto({
    id: z.string().nullish(),
    name: z.string().min(1),
    args: openObject.nullish(),
  }).nullish(),
  functionResponse: functionResponse.nullish(),
  executableCode: absent('code execution is not supported'),
  codeExecutionResult: absent('code execution is not supported'),
  toolCall: absent('tools that run on the server are not supported'),
  toolResponse: absent('tools that run on the server are not supported'),
}).refine(
  (sent) => {
    const given = payloads.filter((name) => sent[name] != null).length;
    // A signature may arrive in a part of its own.
    return given === 1 || (given === 0 && sent.thoughtSignature != null);
  },
  `must have exactly one of ${payloads.join(', ')}`,
);

export const content = proto({
  role: z.enum(['user', 'model', 'function'], 'must be user or model').nullish(),
  parts: z.array(part).nullish(),
});

/** Its role has no meaning. Clients of the REST API also send a plain text. */
export const systemInstruction = z.union(
  [z.string(), proto({ parts: z.array(proto({ text: z.string('only text is supported here') })) })],
  { error: 'must be a content with text parts' },
);

export type ContentBody = z.infer<typeof content>;
export type PartBody = z.infer<typeof part>;
