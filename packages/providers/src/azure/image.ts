import { openAiImages } from '../images/openai-images.ts';
import { classicAbilities } from '../openai/image.ts';
import { azure as chat } from './chat.ts';

/** Changing images wants a form here, which we do not send. */
const { inputs: _inputs, ...abilities } = classicAbilities;

/** A deployment's name need not tell its model: what every model knows is safe. */
export const azureImage = openAiImages(chat, { abilities: () => abilities });
