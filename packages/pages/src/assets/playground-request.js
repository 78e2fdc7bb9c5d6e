// The request of a playground and the code that sends it. Browsers and the server share this file.

/**
 * Builds the body of a request from the fields of the form and the turns of the conversation before it. Throws with the
 * name of a wrong field as its cause.
 */
export function requestOf(kind, fields, turns = []) {
  return requestsOf[kind](fields, turns);
}

const requestsOf = {
  chat: chatRequest,
  images: ({ model, prompt, size }) => ({ model, prompt, ...(filled(size) && { size: size.trim() }) }),
  embeddings: ({ model, prompt }) => ({ model, input: textsOf(prompt) }),
  speech: ({ model, prompt, voice }) => ({ model, input: prompt, voice: filled(voice) ? voice.trim() : 'alloy' }),
};

function chatRequest({ model, system, prompt, temperature, maxTokens, tools }, turns) {
  return {
    model,
    messages: [
      ...(filled(system) ? [{ role: 'system', content: system }] : []),
      ...turns.flatMap((turn) => messagesOf(turn, model)),
      ...(filled(prompt) || turns.length === 0 ? [{ role: 'user', content: prompt }] : []),
    ],
    ...(filled(temperature) && { temperature: numberOf(temperature) }),
    ...(filled(maxTokens) && { max_tokens: Number(maxTokens) }),
    ...(filled(tools) && { tools: toolsOf(tools) }),
  };
}

/** A turn as a model had it. A model that did not take part gets another answer; one that failed never had the turn. */
function messagesOf({ prompt, answers }, model) {
  const content = Object.hasOwn(answers, model) ? answers[model] : Object.values(answers).find((text) => text !== null);
  return content
    ? [
        { role: 'user', content: prompt },
        { role: 'assistant', content },
      ]
    : [];
}

/** A line is a text. */
const textsOf = (prompt) => prompt.split(/\r?\n/).filter(filled);

const filled = (text) => text !== undefined && text.trim() !== '';

function numberOf(text) {
  const value = Number(text.replace(',', '.'));
  if (Number.isNaN(value)) throw new Error('The temperature must be a number, such as 0.7.', { cause: 'temperature' });
  return value;
}

function toolsOf(text) {
  try {
    const tools = JSON.parse(text);
    if (Array.isArray(tools)) return tools;
  } catch {
    // The message below says what to write.
  }
  throw new Error('The tools must be a list in JSON, as the API has it: [{"type": "function", "function": {…}}].', {
    cause: 'tools',
  });
}

/** The code that sends a request to the gateway at this address, with the key in a variable. */
export const codeFor = {
  curl: (kind, { url, request }) =>
    `curl ${url}/v1/${paths[kind]} \\
  -H "Authorization: Bearer $TALLYPORT_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(request).replaceAll("'", String.raw`'\''`)}'${kind === 'speech' ? ' \\\n  --output speech.mp3' : ''}`,
  python: (kind, { url, request }) =>
    `import os
from openai import OpenAI

client = OpenAI(base_url="${url}/v1", api_key=os.environ["TALLYPORT_API_KEY"])
answer = client.${methods[kind]}(
${Object.entries(request)
  .map(([name, value]) => `    ${name}=${pythonValue(value)},`)
  .join('\n')}
)
${results[kind].python}`,
  typescript: (kind, { url, request }) =>
    `import OpenAI from 'openai';
${kind === 'speech' ? "import { writeFile } from 'node:fs/promises';\n" : ''}
const client = new OpenAI({ baseURL: '${url}/v1', apiKey: process.env.TALLYPORT_API_KEY });
const answer = await client.${methods[kind]}(${JSON.stringify(request, undefined, 2)});
${results[kind].typescript}`,
  go: (kind, { url, request }) => `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := ${goText(JSON.stringify(request))}
	request, err := http.NewRequest("POST", "${url}/v1/${paths[kind]}", strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TALLYPORT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	${results[kind].go ?? 'io.Copy(os.Stdout, response.Body)'}
}`,
};

const paths = {
  chat: 'chat/completions',
  images: 'images/generations',
  embeddings: 'embeddings',
  speech: 'audio/speech',
};
const methods = {
  chat: 'chat.completions.create',
  images: 'images.generate',
  embeddings: 'embeddings.create',
  speech: 'audio.speech.create',
};
const results = {
  chat: {
    python: 'print(answer.choices[0].message.content)',
    typescript: 'console.log(answer.choices[0].message.content);',
  },
  images: { python: 'print(answer.data[0].b64_json)', typescript: 'console.log(answer.data?.[0]?.b64_json);' },
  embeddings: { python: 'print(answer.data[0].embedding)', typescript: 'console.log(answer.data[0].embedding);' },
  speech: {
    python: 'answer.write_to_file("speech.mp3")',
    typescript: "await writeFile('speech.mp3', Buffer.from(await answer.arrayBuffer()));",
    go: `file, err := os.Create("speech.mp3")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	io.Copy(file, response.Body)`,
  },
};

/** Raw text has no escapes, and cannot have a backtick. A byte order mark is an error anywhere but at the beginning. */
function goText(json) {
  const text = json.replaceAll('\ufeff', String.raw`\ufeff`);
  return text.includes('`') ? JSON.stringify(text) : `\`${text}\``;
}

/** JSON as Python writes it. Strings have the same form in both. */
export function pythonValue(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${pythonValue(member)}`)
    .join(', ')}}`;
}
