import { openAiErrorBody, splitCharacters, invalidRequest } from '@tallyport/sandbox';
import type { CompatibleVendor } from '../vendor.ts';

/** Some models only stream, some think only while streaming; later deltas of a call have an empty id. */
export const alibabaVendor: CompatibleVendor = {
  id: 'alibaba',
  refuse: ({ model, stream, enable_thinking: thinks, tool_choice: choice }) => {
    const refuse = (message: string) =>
      invalidRequest(`<400> InternalError.Algo.InvalidParameter: ${message}`, null, 'invalid_parameter_error');
    if (choice === 'required') return refuse('The tool_choice parameter does not support being set to required.');
    if (stream === true) return undefined;
    if (/^qwq|omni/.test(String(model)))
      return refuse('This model only support stream mode, please enable the stream parameter to access the model.');
    if (!/^qwen3-\d+b(-a\d+b)?$/.test(String(model)) || thinks === false) return undefined;
    return refuse('parameter.enable_thinking must be set to false for non-streaming calls');
  },
  errorTexts: {
    401: { message: 'Incorrect API key provided.', code: 'invalid_api_key' },
    402: { message: 'Access denied, please make sure your account is in good standing.', code: 'Arrearage' },
    429: { message: 'You exceeded your current requests list.', type: 'limit_requests', code: 'limit_requests' },
  },
  errorBody: (error) => ({ ...openAiErrorBody(error), request_id: '00000000-0000-9000-8000-515151515151' }),
  spell: () => ({
    toolDeltas: ({ id, name, arguments: text }, index) => [
      { index, id, type: 'function', function: { name, arguments: '' } },
      ...splitCharacters(text, 8).map((part) => ({
        index,
        id: '',
        type: 'function',
        function: { name: null, arguments: part },
      })),
    ],
    answerMembers: { system_fingerprint: null },
  }),
};
