import { readdirSync } from 'node:fs';
import { saveUpload } from '../preview/account-uploads.ts';
import { imageOfBase64 } from '../preview/image-block.ts';

/** Run as a separate process inside a private mount: saves an image of the given size and prints the outcome. */
const [, , folder = '', bytes = ''] = process.argv;
const image = imageOfBase64(Buffer.alloc(Number(bytes), 'x').toString('base64'));
const upload = { accountId: 'acc_1', fileName: 'cat.png', image };
const isOnlyAccount = async () => false;
const rules = { folder, isOnlyAccount, maxBytes: Infinity, maxFiles: 10 };
const { outcome, ...result } = await saveUpload(rules, upload);
const files = readdirSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ outcome, reason: 'reason' in result ? result.reason : undefined, files }));
