import { openAiImages } from '../images/openai-images.ts';
import { classicAbilities } from '../openai/image.ts';
import { azure as chat } from './chat.ts';

/** Image edits require a multipart form here, which is not implemented. */
const { inputs: _inputs, ...abilities } = classicAbilities;

/** A deployment's name need not contain its model's, so only what every model supports is offered. */
export const azureImage = openAiImages(chat, { abilities: () => abilities });
