export interface SdkCall {
  python: string;
  typescript: string;
  /** Where in the path the first argument is, counted from its end. */
  argument?: number;
}

const same = (call: string, argument?: number): SdkCall => ({
  python: call,
  typescript: call,
  ...(argument !== undefined && { argument }),
});

/** The operations that OpenAI's SDKs have, by operation id. */
export const sdkCalls: Readonly<Record<string, SdkCall>> = {
  createChatCompletion: same('chat.completions.create'),
  createCompletion: same('completions.create'),
  createEmbeddings: same('embeddings.create'),
  createModeration: same('moderations.create'),
  createResponse: same('responses.create'),
  createSpeech: same('audio.speech.create'),
  createTranscription: same('audio.transcriptions.create'),
  createTranslation: same('audio.translations.create'),
  deleteResponse: same('responses.delete', 0),
  generateImages: same('images.generate'),
  getModel: same('models.retrieve', 0),
  getResponse: same('responses.retrieve', 0),
  listModels: same('models.list'),
  listResponseInputItems: {
    python: 'responses.input_items.list',
    typescript: 'responses.inputItems.list',
    argument: 1,
  },
};
