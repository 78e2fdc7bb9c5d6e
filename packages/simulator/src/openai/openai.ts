import { type Family, imageModel, openAiRoutes, openAiUnknownModel, sharedModel } from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { findImageFault } from './images/strictness.ts';
import { findUnknownEmbeddingMember } from './embedding-strictness.ts';
import { findUnknownModerationMember } from './moderation-strictness.ts';
import { checkByModel, checkChatModel } from './model-strictness.ts';
import { findUnknownSpeechMember } from './speech-strictness.ts';
import { findUnknownTranscriptionField } from './transcription-strictness.ts';
import { findOpenAiFault } from './strictness.ts';

/** OpenAI itself, with its strictness, for any model name. */
export const openAiVendorRoutes: Family = (settings) =>
  openAiRoutes(
    {
      id: 'openai',
      basePath: basePathOf('openai'),
      models: [sharedModel, imageModel],
      refuseChat: (body) =>
        findOpenAiFault(body, { refusesUnknownParameters: true }) ?? checkChatModel(body) ?? checkByModel(body),
      refuseImages: findImageFault,
      refuseEmbeddings: findUnknownEmbeddingMember,
      refuseModerations: findUnknownModerationMember,
      refuseDecisions: ({ model }) => (model === 'gpt-6-luna' ? undefined : openAiUnknownModel(String(model))),
      refuseRerank: ({ model }) => openAiUnknownModel(String(model)),
      refuseSpeech: findUnknownSpeechMember,
      refuseTranscription: findUnknownTranscriptionField,
    },
    settings,
  );
