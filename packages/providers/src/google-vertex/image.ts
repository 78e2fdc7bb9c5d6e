import { geminiImages } from '../google/gemini-images.ts';
import { googleVertex } from './chat.ts';

export const googleVertexImage = geminiImages(googleVertex);
