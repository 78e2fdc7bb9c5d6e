import { google } from './chat.ts';
import { geminiImages } from './gemini-images.ts';

export const googleImage = geminiImages(google);
